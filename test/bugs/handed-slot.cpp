// Each block begins where the one before it ends; one too many is told so, by a function that only
// sets what it is handed.
// expect: kind=broken-guard line=fail name=just past the heap block of 64 bytes allocated at @alloc
// layout: {"guard": 16}
// cause: line=cause
// locate: line=store and=alloc
#include <cstdio>
#include <vector>

class Block {
public:
  Block(long position, long size) : position_(position), size_(size) {}
  long end() const { return position_ + size_; }
  void move(long position) { position_ = position; }

private:
  long position_, size_;
};

static void place(std::vector<Block> &blocks) {
  for (unsigned i = 0; i < blocks.size(); ++i) // cause: one less
    blocks[i + 1].move(blocks[i].end());       // store
}

int main() {
  std::vector<Block> blocks;
  for (int i = 1; i <= 4; ++i)
    blocks.push_back({0, 10 * i}); // alloc
  place(blocks);
  std::printf("%ld\n", blocks.back().end());
} // fail
