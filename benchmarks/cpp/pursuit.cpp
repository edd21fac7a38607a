// Pursuit against an antagonist that moves at random: expectimax without cuts, states by value.
// GOAL_X, GOAL_Y, ACTIONS and PLIES are the game's.
constexpr double GOAL = 9999;

struct Chase { int px, py, ax, ay, ply; };

static inline bool over(const Chase &s, double &value) {
    value = -s.ply;
    if (s.px == s.ax && s.py == s.ay) return true;
    if (s.px == GOAL_X && s.py == GOAL_Y) { value = GOAL; return true; }
    return s.ply >= PLIES;
}

static inline Chase moved(Chase s, int action) {
    int dx = (action == 1) - (action == 0), dy = (action == 3) - (action == 2);
    if (s.ply & 1) { s.ax += dx; s.ay += dy; }
    else { s.px += dx; s.py += dy; }
    ++s.ply;
    return s;
}

static double search(const Chase &s, int depth, long &nodes) {
    bool random = s.ply & 1;
    double best = -2 * GOAL, mean = 0;
    for (int action = 0; action < ACTIONS; ++action) {
        Chase child = moved(s, action);
        double value;
        ++nodes;
        if (!over(child, value) && depth > 1) value = search(child, depth - 1, nodes);
        if (random) mean += value / ACTIONS;
        else if (value > best) best = value;
    }
    return random ? mean : best;
}

extern "C" double run(int ax, int ay, int action, int depth, long *nodes) {
    Chase s{0, 0, ax, ay, 0};
    *nodes = 1;
    return search(action < 0 ? s : moved(s, action), depth, *nodes);
}
