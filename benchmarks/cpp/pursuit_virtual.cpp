// Pursuit as a general library in C++ would have it: a game behind virtual calls, states on the
// heap, copied for every move; otherwise the same search as pursuit.cpp.
#include <memory>

constexpr double GOAL = 9999;

struct State {
    virtual ~State() = default;
    virtual std::unique_ptr<State> copy() const = 0;
    virtual bool random() const = 0;
    virtual bool over() const = 0;
    virtual double value() const = 0;
    virtual int actions() const = 0;
    virtual void apply(int action) = 0;
};

struct Chase final : State {
    int px = 0, py = 0, ax, ay, ply = 0;
    Chase(int ax, int ay) : ax(ax), ay(ay) {}
    std::unique_ptr<State> copy() const override { return std::make_unique<Chase>(*this); }
    bool random() const override { return ply & 1; }
    bool touched() const { return px == ax && py == ay; }
    bool at_goal() const { return px == GOAL_X && py == GOAL_Y; }
    bool over() const override { return touched() || at_goal() || ply >= PLIES; }
    double value() const override { return at_goal() && !touched() ? GOAL : -ply; }
    int actions() const override { return ACTIONS; }
    void apply(int action) override {
        int dx = (action == 1) - (action == 0), dy = (action == 3) - (action == 2);
        if (ply & 1) { ax += dx; ay += dy; }
        else { px += dx; py += dy; }
        ++ply;
    }
};

static double search(const State &s, int depth, long &nodes) {
    ++nodes;
    if (depth == 0 || s.over()) return s.value();
    bool random = s.random();
    int actions = s.actions();
    double best = -2 * GOAL, mean = 0;
    for (int action = 0; action < actions; ++action) {
        auto child = s.copy();
        child->apply(action);
        double value = search(*child, depth - 1, nodes);
        if (random) mean += value / actions;
        else if (value > best) best = value;
    }
    return random ? mean : best;
}

extern "C" double run(int ax, int ay, int action, int depth, long *nodes) {
    Chase s(ax, ay);
    if (action >= 0) s.apply(action);
    *nodes = 0;
    return search(s, depth, *nodes);
}
