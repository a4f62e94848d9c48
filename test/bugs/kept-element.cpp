// A scoreboard keeps pointers into a vector that grows; the sum over them is not what it should be.
// expect: kind=abort line=fail
// layout: {"fill": {"freed": 221}}
// cause: line=cause
// locate: line=cause
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

struct Player {
  std::string name;
  int *score;
};

class Board {
public:
  void add(const std::string &name, int score) {
    scores_.push_back(score); // cause: reserve, or keep the index
    players_.push_back({name, &scores_.back()});
  }

  int total() const {
    int sum = 0;
    for (const Player &player : players_)
      sum += *player.score;
    return sum;
  }

private:
  std::vector<Player> players_;
  std::vector<int> scores_;
};

int main() {
  Board board;
  for (int i = 0; i < 10; i++)
    board.add("player number " + std::to_string(i), i * 10);
  std::vector<std::string> texts(20, std::string(60, 'x'));
  std::printf("%d in %zu texts\n", board.total(), texts.size());
  if (board.total() != 450)
    std::abort(); // fail
}
