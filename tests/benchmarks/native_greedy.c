/* What a compiled language makes of the greedy policy: base rules, one core, no libraries.
 *
 *     cc -O3 -march=native -o native_greedy native_greedy.c && ./native_greedy PLAYERS GAMES [SEED]
 *
 * Greedy: of everything that can be built with more cards than the high bid, bid what leaves the highest own
 * score if the game ended now; equal scores are decided by how many values could go on the towers next.
 * What counts for the whole build is each tower's part, so every type is first reduced to its best option for
 * each number of cards with and without a teardown; then all combinations of those are tried.
 *
 * Prints one JSON object: speed, mean VP by seat with standard errors, mean rounds.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    TYPES = 5,
    VALUES = 16,
    NO_TOWER = 16, /* stands below every tower, as a card that takes any value */
    DISPLAY = 5,
    DECK_PASSES = 2,
    MOST_PLAYERS = 5,
    MOST_CARDS = 110,
    MOST_HEIGHT = 22,
    OPTIONS = 2 * (DISPLAY + 1),
    ONE_VP = 1024 /* worths are VP in these units, plus openness, which stays below one */
};

#define INLINE static inline __attribute__((always_inline))

typedef struct {
    int32_t height[TYPES];
    int32_t torn;
    uint8_t tower[TYPES][1 + MOST_HEIGHT]; /* tower[type][height] is the top; at 0 stands NO_TOWER */
} Player;

typedef struct {
    int32_t size;
    uint8_t value[DISPLAY], type[DISPLAY];
    uint8_t of_type[TYPES]; /* sets of places in the display, a bit each */
} Display;

/* The best that one type's tower can come to with some number of cards. */
typedef struct {
    int32_t worth, count, height, torn;
    uint32_t cards;
} Option;

typedef struct {
    int32_t worth, bid, torn_type;
    uint32_t cards;
} Plan;

static uint32_t lies_on[VALUES];        /* the set of tops that a value may go on */
static int32_t openness[NO_TOWER + 1]; /* how many values may go on a top */
static uint64_t random_state;

static void lay_out_rules(void) {
    for (int value = 0; value < VALUES; value++) {
        for (int top = 0; top <= NO_TOWER; top++) {
            int fits = top == NO_TOWER || (top != 0 && (value < top || value == 9 || top == 8));
            lies_on[value] |= (uint32_t)fits << top;
            openness[top] += fits;
        }
    }
}

/* ---- Chance: SplitMix64, and Lemire's reduction to a range ---- */

INLINE uint64_t next_random(void) {
    uint64_t x = random_state += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

static void shuffle(uint8_t *cards, int count) {
    for (int last = count - 1; last > 0; last--) {
        int other = (int)(((next_random() >> 32) * (uint64_t)(last + 1)) >> 32);
        uint8_t card = cards[last];
        cards[last] = cards[other];
        cards[other] = card;
    }
}

/* ---- What one tower can come to ---- */

INLINE int top_of(const Player *player, int type) { return player->tower[type][player->height[type]]; }

/* The most open of a set of tops. */
INLINE int most_open(uint32_t tops) {
    int best = __builtin_ctz(tops);
    while (tops &= tops - 1) {
        int top = __builtin_ctz(tops);
        if (openness[top] > openness[best]) best = top;
    }
    return best;
}

INLINE int tower_worth(int height, int top) { return (height << (top == 0)) * ONE_VP + openness[top]; }

/* For each subset of a set of cards: the tops that building all of it, in some order, can end with. */
INLINE void reach_tops(const Display *display, uint32_t cards, int top, uint32_t reach[1 << DISPLAY]) {
    reach[0] = 1u << top;
    for (uint32_t some = -cards & cards; some; some = (some - cards) & cards) {
        uint32_t tops = 0;
        for (uint32_t left = some; left; left &= left - 1) {
            uint32_t last = left & -left;
            int value = display->value[__builtin_ctz(left)];
            if (reach[some ^ last] & lies_on[value]) tops |= 1u << value;
        }
        reach[some] = tops;
    }
}

/* Find the best option for each number of cards, given the tower below; worth -1 where there is none. */
INLINE void best_by_count(const Display *display, uint32_t cards, int height, int top, Option best[DISPLAY + 1]) {
    uint32_t reach[1 << DISPLAY];
    reach_tops(display, cards, top, reach);
    for (int count = 0; count <= DISPLAY; count++) best[count].worth = -1;
    for (uint32_t some = -cards & cards; some; some = (some - cards) & cards) {
        if (!reach[some]) continue;
        int count = __builtin_popcount(some);
        int worth = tower_worth(height + count, most_open(reach[some]));
        if (worth > best[count].worth) best[count] = (Option){worth, count, height + count, 0, some};
    }
}

/* List a type's options, those with a teardown last; tearing is left out where the same cards do without. */
static int list_options(const Player *player, const Display *display, int type, Option options[OPTIONS]) {
    uint32_t cards = display->of_type[type];
    int height = player->height[type], top = top_of(player, type), listed = 0;
    int may_tear = height > 0 && top != 0, teardown = (player->torn + 1) * ONE_VP;
    options[listed++] = (Option){tower_worth(height, top), 0, height, 0, 0};
    if (!cards) return listed;
    if (!(cards & (cards - 1))) {
        int value = display->value[__builtin_ctz(cards)];
        if (lies_on[value] >> top & 1)
            options[listed++] = (Option){tower_worth(height + 1, value), 1, height + 1, 0, cards};
        else if (may_tear && lies_on[value] >> player->tower[type][height - 1] & 1)
            options[listed++] = (Option){tower_worth(height, value) - teardown, 1, height, 1, cards};
        return listed;
    }
    Option kept[DISPLAY + 1], torn[DISPLAY + 1];
    int most = __builtin_popcount(cards);
    best_by_count(display, cards, height, top, kept);
    for (int count = 1; count <= most; count++)
        if (kept[count].worth >= 0) options[listed++] = kept[count];
    if (!may_tear) return listed;
    best_by_count(display, cards, height - 1, player->tower[type][height - 1], torn);
    for (int count = 1; count <= most; count++) {
        if (torn[count].worth < 0) continue;
        torn[count].worth -= teardown;
        torn[count].torn = 1;
        if (kept[count].worth < 0 || kept[count].worth < torn[count].worth) options[listed++] = torn[count];
    }
    return listed;
}

/* ---- The best combination ---- */

typedef struct {
    Option options[TYPES][OPTIONS];
    int32_t listed[TYPES];
    int32_t later_cards[TYPES]; /* cards in the display of the types after this one */
    int32_t high_bid;
    Plan best;
} Search;

/* What is chosen so far; torn_type is -1 while nothing is torn down. */
typedef struct {
    int32_t worth, count, main_height, torn_type;
    uint32_t cards;
} Chosen;

INLINE void compare_with_best(Search *search, Chosen chosen) {
    int worth = chosen.worth + chosen.main_height * ONE_VP;
    if (worth > search->best.worth) search->best = (Plan){worth, chosen.count, chosen.torn_type, chosen.cards};
}

/* One function for each type, so that the compiler can lay the five loops into one another. */
#define CHOOSE_FOR_TYPE(type, choose_for_next)                                                      \
    INLINE void choose_for_##type(Search *search, Chosen chosen) {                                  \
        for (int nth = 0; nth < search->listed[type]; nth++) {                                      \
            const Option *option = &search->options[type][nth];                                     \
            if (option->torn && chosen.torn_type >= 0) break;                                       \
            int count = chosen.count + option->count;                                               \
            if (count + search->later_cards[type] <= search->high_bid) continue;                    \
            int main_height = option->height > chosen.main_height ? option->height : chosen.main_height; \
            int torn_type = option->torn ? type : chosen.torn_type;                                 \
            choose_for_next(search, (Chosen){chosen.worth + option->worth, count, main_height,      \
                                             torn_type, chosen.cards | option->cards});             \
        }                                                                                           \
    }
CHOOSE_FOR_TYPE(4, compare_with_best)
CHOOSE_FOR_TYPE(3, choose_for_4)
CHOOSE_FOR_TYPE(2, choose_for_3)
CHOOSE_FOR_TYPE(1, choose_for_2)
CHOOSE_FOR_TYPE(0, choose_for_1)

/* Find the best build with more cards than the high bid; the plan's bid is 0 if there is none. */
static Plan choose_build(const Player *player, const Display *display, int high_bid) {
    Search search;
    int later = 0;
    for (int type = TYPES - 1; type >= 0; type--) {
        search.later_cards[type] = later;
        search.listed[type] = list_options(player, display, type, search.options[type]);
        /* Options without a teardown come first, by count; the last of them and the last of all bound it. */
        later += __builtin_popcount(display->of_type[type]);
    }
    search.high_bid = high_bid;
    search.best = (Plan){INT32_MIN, 0, -1, 0};
    int cost = player->torn * (player->torn + 1) / 2 * ONE_VP;
    choose_for_0(&search, (Chosen){-cost, 0, 0, -1, 0});
    return search.best;
}

/* ---- Carrying it out ---- */

static void build_tower(Player *player, const Display *display, int type, uint32_t cards) {
    uint32_t reach[1 << DISPLAY];
    reach_tops(display, cards, top_of(player, type), reach);
    int height = player->height[type] += __builtin_popcount(cards);
    int value = most_open(reach[cards]);
    while (cards) { /* from the top downwards */
        uint32_t last = 0, below = 0;
        for (uint32_t left = cards; left && !below; left &= left - 1) {
            last = left & -left;
            if (display->value[__builtin_ctz(left)] == value) below = reach[cards ^ last] & lies_on[value];
        }
        player->tower[type][height--] = (uint8_t)value;
        cards ^= last;
        value = __builtin_ctz(below);
    }
}

static void build(Player *player, const Display *display, const Plan *plan) {
    if (plan->torn_type >= 0) {
        player->height[plan->torn_type]--;
        player->torn++;
    }
    for (int type = 0; type < TYPES; type++) {
        uint32_t cards = plan->cards & display->of_type[type];
        if (cards) build_tower(player, display, type, cards);
    }
}

static void reveal(Display *display, const uint8_t *cards, int count) {
    display->size = count;
    memset(display->of_type, 0, sizeof display->of_type);
    for (int place = 0; place < count; place++) {
        display->value[place] = cards[place] % VALUES;
        display->type[place] = cards[place] / VALUES;
        display->of_type[display->type[place]] |= (uint8_t)(1 << place);
    }
}

static int score(const Player *player) {
    int total = 0, main_height = 0;
    for (int type = 0; type < TYPES; type++) {
        int height = player->height[type];
        total += height << (top_of(player, type) == 0);
        if (height > main_height) main_height = height;
    }
    return total + main_height - player->torn * (player->torn + 1) / 2;
}

static int make_deck(int players, uint8_t deck[MOST_CARDS]) {
    const uint32_t doubled = players > 3 ? 1u << 0 | 1u << 2 | 1u << 5 | 1u << 7 | 1u << 10 | 1u << 12 : 0;
    int count = 0;
    for (int card = 0; card < TYPES * VALUES; card++)
        for (uint32_t copy = 0; copy <= (doubled >> card % VALUES & 1); copy++) deck[count++] = (uint8_t)card;
    return count;
}

/* Play a game; returns its number of rounds. */
static int play_game(int players, int scores[MOST_PLAYERS]) {
    Player seats[MOST_PLAYERS];
    uint8_t deck[MOST_CARDS], discard[MOST_CARDS];
    int cards = make_deck(players, deck), discarded = 0, start = 0, rounds = 0;
    memset(seats, 0, sizeof seats);
    for (int seat = 0; seat < players; seat++)
        for (int type = 0; type < TYPES; type++) seats[seat].tower[type][0] = NO_TOWER;
    for (int pass = 0; pass < DECK_PASSES && cards > 0; pass++) {
        shuffle(deck, cards);
        for (int drawn = 0; drawn < cards; rounds++) {
            Display display;
            int size = cards - drawn < DISPLAY ? cards - drawn : DISPLAY, builder = -1;
            reveal(&display, deck + drawn, size);
            Plan plan = {0, 0, -1, 0};
            for (int turn = 0; turn < players && plan.bid < size; turn++) {
                int seat = (start + turn) % players;
                Plan wish = choose_build(&seats[seat], &display, plan.bid);
                if (wish.bid > plan.bid) plan = wish, builder = seat;
            }
            if (builder >= 0) {
                build(&seats[builder], &display, &plan);
                start = (builder + 1) % players;
            }
            for (int place = 0; place < size; place++)
                if (!(plan.cards >> place & 1)) discard[discarded++] = deck[drawn + place];
            drawn += size;
        }
        memcpy(deck, discard, sizeof deck);
        cards = discarded;
        discarded = 0;
    }
    for (int seat = 0; seat < players; seat++) scores[seat] = score(&seats[seat]);
    return rounds;
}

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int main(int argument_count, char **arguments) {
    int players = argument_count > 1 ? atoi(arguments[1]) : 3;
    long games = argument_count > 2 ? atol(arguments[2]) : 100000;
    random_state = argument_count > 3 ? strtoull(arguments[3], NULL, 10) : 1;
    if (players < 2 || players > MOST_PLAYERS || games < 1) {
        fprintf(stderr, "usage: native_greedy PLAYERS(2-5) GAMES [SEED]\n");
        return 2;
    }
    lay_out_rules();
    double sums[MOST_PLAYERS] = {0}, squares[MOST_PLAYERS] = {0}, rounds = 0, begun = cpu_seconds();
    for (long game = 0; game < games; game++) {
        int scores[MOST_PLAYERS];
        rounds += play_game(players, scores);
        for (int seat = 0; seat < players; seat++) {
            sums[seat] += scores[seat];
            squares[seat] += (double)scores[seat] * scores[seat];
        }
    }
    double seconds = cpu_seconds() - begun;
    printf("{\"players\": %d, \"games\": %ld, \"cpu_seconds\": %.6f, \"games_per_second\": %.1f, \"rounds\": %.3f",
           players, games, seconds, (double)games / seconds, rounds / (double)games);
    printf(", \"vp\": [");
    for (int seat = 0; seat < players; seat++) printf("%s%.4f", seat ? ", " : "", sums[seat] / (double)games);
    printf("], \"standard_error\": [");
    for (int seat = 0; seat < players; seat++) {
        double mean = sums[seat] / (double)games, variance = squares[seat] / (double)games - mean * mean;
        printf("%s%.4f", seat ? ", " : "", sqrt(variance / (double)games));
    }
    printf("]}\n");
    return 0;
}
