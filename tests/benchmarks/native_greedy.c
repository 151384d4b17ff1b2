/* What a compiled language makes of the greedy policy: base rules, one core, no libraries.
 *
 *     cc -O3 -march=native -o native_greedy native_greedy.c && ./native_greedy PLAYERS GAMES [SEED]
 *
 * Greedy: of everything that can be built with more cards than the high bid, bid what leaves the highest own
 * score if the game ended now; equal scores are decided by how many values could go on the towers next.
 * What counts for the whole build is each tower's part, so every type is first reduced to its best option for
 * each number of cards with and without a teardown; then all combinations of those are tried.
 *
 * Prints one JSON object: seconds of the core, games per such second, mean rounds, mean VP by seat.
 */
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
    NONE = INT32_MIN,
    ONE_VP = 1024 /* worths are VP in these units, plus openness, which stays below one */
};

typedef struct {
    int32_t height[TYPES];
    int32_t torn;
    uint8_t tower[TYPES][1 + MOST_HEIGHT]; /* tower[type][height] is the top; at 0 stands NO_TOWER */
} Player;

typedef struct {
    int32_t size;
    uint8_t value[DISPLAY], type[DISPLAY];
} Display;

/* The best that one type's tower can come to, by cards torn down and cards taken; worth NONE where it can't. */
typedef struct {
    int32_t most_taken, most_torn;
    int32_t worth[2][DISPLAY + 1];
    uint8_t cards[2][DISPLAY + 1];
} Fold;

typedef struct {
    int32_t worth, bid, torn_type;
    uint32_t cards;
} Plan;

static uint32_t lies_on[VALUES];       /* the set of tops that a value may go on */
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

static inline uint64_t next_random(void) {
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

static inline int top_of(const Player *player, int type) { return player->tower[type][player->height[type]]; }

/* The most open of a set of tops. */
static inline int most_open(uint32_t tops) {
    int best = __builtin_ctz(tops);
    while (tops &= tops - 1) {
        int top = __builtin_ctz(tops);
        if (openness[top] > openness[best]) best = top;
    }
    return best;
}

static inline int tower_worth(int height, int top) { return (height << (top == 0)) * ONE_VP + openness[top]; }

/* The set of a type's cards: a bit for each place of the display. */
static inline uint32_t cards_of(const Display *display, int type) {
    uint32_t cards = 0;
    for (int place = 0; place < display->size; place++) cards |= (uint32_t)(display->type[place] == type) << place;
    return cards;
}

/* For each subset of a set of cards: the tops that building all of it, in some order, can end with. */
static inline void reach_tops(const Display *display, uint32_t cards, int top, uint32_t reach[1 << DISPLAY]) {
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

/* Find the best for each number of cards, upon a tower of this height and top. */
static inline void fold_upon(Fold *fold, int torn, const Display *display, uint32_t cards, int height, int top) {
    uint32_t reach[1 << DISPLAY];
    reach_tops(display, cards, top, reach);
    for (int taken = 1; taken <= fold->most_taken; taken++) fold->worth[torn][taken] = NONE;
    for (uint32_t some = -cards & cards; some; some = (some - cards) & cards) {
        if (!reach[some]) continue;
        int taken = __builtin_popcount(some), worth = tower_worth(height + taken, most_open(reach[some]));
        if (worth > fold->worth[torn][taken]) {
            fold->worth[torn][taken] = worth;
            fold->cards[torn][taken] = (uint8_t)some;
        }
    }
}

/* Fold one type; a teardown is left out where the same number of cards does as well without. */
static void fold_tower(Fold *fold, const Player *player, const Display *display, int type) {
    uint32_t cards = cards_of(display, type);
    int height = player->height[type], top = top_of(player, type);
    fold->most_taken = __builtin_popcount(cards);
    fold->most_torn = 0;
    fold->worth[0][0] = tower_worth(height, top);
    fold->cards[0][0] = 0;
    if (!cards) return;
    fold_upon(fold, 0, display, cards, height, top);
    if (height == 0 || top == 0) return;
    fold_upon(fold, 1, display, cards, height - 1, player->tower[type][height - 1]);
    fold->worth[1][0] = NONE;
    for (int taken = 1; taken <= fold->most_taken; taken++) {
        if (fold->worth[1][taken] == NONE) continue;
        fold->worth[1][taken] -= (player->torn + 1) * ONE_VP;
        if (fold->worth[1][taken] <= fold->worth[0][taken]) fold->worth[1][taken] = NONE;
        else fold->most_torn = 1;
    }
}

/* ---- The best combination ---- */

static struct {
    Fold fold[TYPES];
    int32_t height[TYPES];
    int32_t left_over[TYPES]; /* cards in the display of the types after this one */
    int32_t high_bid;
    Plan best;
} search;

/* What is chosen so far; torn_type is -1 while nothing is torn down. */
typedef struct {
    int32_t worth, taken, main_height, torn_type;
    uint32_t cards;
} Chosen;

static inline void compare_with_best(Chosen chosen) {
    int worth = chosen.worth + chosen.main_height * ONE_VP;
    if (worth > search.best.worth) search.best = (Plan){worth, chosen.taken, chosen.torn_type, chosen.cards};
}

/* One function for each type, so that the compiler can lay the five loops into one another. */
#define CHOOSE_FOR_TYPE(type, choose_for_next)                                                      \
    static inline void choose_for_##type(Chosen before) {                                           \
        const Fold *fold = &search.fold[type];                                                      \
        for (int torn = 0; torn <= (before.torn_type < 0 ? fold->most_torn : 0); torn++) {          \
            for (int taken = 0; taken <= fold->most_taken; taken++) {                               \
                if (fold->worth[torn][taken] == NONE) continue;                                     \
                Chosen chosen = before;                                                             \
                chosen.taken += taken;                                                              \
                if (chosen.taken + search.left_over[type] <= search.high_bid) continue;             \
                chosen.worth += fold->worth[torn][taken];                                           \
                chosen.cards |= fold->cards[torn][taken];                                           \
                int height = search.height[type] - torn + taken;                                    \
                if (height > chosen.main_height) chosen.main_height = height;                       \
                if (torn) chosen.torn_type = type;                                                  \
                choose_for_next(chosen);                                                            \
            }                                                                                       \
        }                                                                                           \
    }
CHOOSE_FOR_TYPE(4, compare_with_best)
CHOOSE_FOR_TYPE(3, choose_for_4)
CHOOSE_FOR_TYPE(2, choose_for_3)
CHOOSE_FOR_TYPE(1, choose_for_2)
CHOOSE_FOR_TYPE(0, choose_for_1)

/* Find the best build with more cards than the high bid; the plan's bid is 0 if there is none. */
static Plan choose_build(const Player *player, const Display *display, int high_bid) {
    int left_over = 0;
    for (int type = TYPES - 1; type >= 0; type--) {
        fold_tower(&search.fold[type], player, display, type);
        search.height[type] = player->height[type];
        search.left_over[type] = left_over;
        left_over += search.fold[type].most_taken;
    }
    search.high_bid = high_bid;
    search.best = (Plan){INT32_MIN, 0, -1, 0};
    int cost = player->torn * (player->torn + 1) / 2 * ONE_VP;
    choose_for_0((Chosen){-cost, 0, 0, -1, 0});
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
        uint32_t cards = plan->cards & cards_of(display, type);
        if (cards) build_tower(player, display, type, cards);
    }
}

static void reveal(Display *display, const uint8_t *cards, int count) {
    display->size = count;
    for (int place = 0; place < count; place++) {
        display->value[place] = cards[place] % VALUES;
        display->type[place] = cards[place] / VALUES;
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

static double core_seconds(void) {
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
    double sums[MOST_PLAYERS] = {0}, rounds = 0, begun = core_seconds();
    for (long game = 0; game < games; game++) {
        int scores[MOST_PLAYERS];
        rounds += play_game(players, scores);
        for (int seat = 0; seat < players; seat++) sums[seat] += scores[seat];
    }
    double seconds = core_seconds() - begun, count = (double)games;
    printf("{\"players\": %d, \"games\": %ld, \"seconds\": %.6f, ", players, games, seconds);
    printf("\"games_per_second\": %.1f, \"rounds\": %.3f, \"vp\": [", count / seconds, rounds / count);
    for (int seat = 0; seat < players; seat++) printf("%s%.4f", seat ? ", " : "", sums[seat] / count);
    printf("]}\n");
    return 0;
}
