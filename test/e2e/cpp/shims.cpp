// What lives in libstdc++'s shared library, as programs of any standard and both ABIs refer to it;
// with the addresses and capacities of what it allocates.
#include <algorithm>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <limits>
#include <list>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <vector>
#if __cplusplus >= 201103L
#include <unordered_map>
#include <unordered_set>
#endif

using namespace std;

template <typename Text> void show(const char *name, const Text &text) {
  cout << name << ' ' << text.size() << ' ' << text.capacity() << ' ' << (const void *)text.data()
       << '\n';
}

static unsigned next() {
  static unsigned state = 7;
  return state = state * 1664525 + 1013904223;
}

static void strings() {
  string text("a text that does not fit");
  for (int i = 0; i < 50; ++i) {
    text.append(i, 'x').insert(text.size() / 2, "middle");
    text.replace(3, 5, "replaced");
    text.push_back('y');
  }
  show("text", text);
  string copy = text, part(text, 5, 40), from(text.begin(), text.begin() + 33), many(100, 'z');
  copy.erase(10, 500);
  copy.erase(copy.begin());
  copy.insert(copy.begin() + 2, 'i');
  copy.reserve(3000);
  show("copy", copy);
  show("part", part);
  show("from", from);
  show("sum", part + from + 'c' + "chars" + many);
  cout << text.find("middle", 20) << ' ' << text.rfind('y') << ' '
       << text.find_first_not_of("ax tehd") << ' ' << copy.compare(2, 8, part) << ' '
       << (part < from) << '\n';
  wstring wide(L"wide text that does not fit");
  wide.append(30, L'w').replace(2, 4, L"longer than it was");
  show("wide", wide);
  try {
    text.at(100000);
  } catch (const out_of_range &error) {
    cout << error.what() << '\n';
  }
}

static void input() {
  stringstream in;
  for (int i = 0; i < 30; ++i)
    in << "line " << i << ' ' << string(i * 7, 'l') << "\n";
  string line, word;
  while (getline(in, line))
    if (line.size() > 150)
      show("line", line);
  in.clear();
  in.seekg(0);
  while (in >> word)
    if (word.size() > 150)
      show("word", word);
  cout << in.rdstate() << '\n';
  istringstream more("abcdef ghijkl;mnop qrs 17 x");
  char array[8];
  more.ignore(2).getline(array, 8, ' ');
  cout << array << more.gcount();
  more.ignore(100, ';');
  cout << more.gcount();
  more >> setw(3) >> array;
  cout << array << more.width();
  more >> word >> word;
  int number = 0;
  more >> number;
  cout << word << number << more.peek();
  more.getline(array, 2);
  cout << more.rdstate() << more.gcount();
  more.clear();
  more.ignore(numeric_limits<streamsize>::max());
  cout << more.rdstate() << more.gcount() << '\n';
  wistringstream wide(L"wide words in\na line");
  wstring wideWord, wideLine;
  wide >> wideWord;
  getline(wide, wideLine);
  wchar_t wideArray[10];
  wide.getline(wideArray, 10);
  cout << wideWord.size() << wideLine.size() << wide.gcount() << '\n';
  ostringstream out;
  istringstream from(string(3000, 'f'));
  out << from.rdbuf();
  show("copied", out.str());
}

template <typename Number> void roundTrip(const char *text) {
  istringstream in(text);
  Number number = Number();
  in >> number;
  cout << number << ' ' << in.rdstate() << ' ';
}

static void numberTexts() {
  roundTrip<short>("40000");
  roundTrip<unsigned short>("65535");
  roundTrip<int>("-2147483649");
  roundTrip<unsigned>("4294967295x");
  roundTrip<long>("0x12");
  roundTrip<unsigned long>("-1");
  roundTrip<float>("1e39");
  roundTrip<double>("-1.5e-3,");
  roundTrip<double>("nothing");
  roundTrip<double>("1e400");
  roundTrip<long double>("3.25");
  roundTrip<bool>("2");
  cout << hex << setw(12) << setfill('_') << left << 48879 << internal << showbase << setw(10)
       << 255 << dec << fixed << setprecision(4) << 1234567.891 << scientific << 0.00012345L
       << uppercase << 1e300 << '\n'
       << resetiosflags(ios::floatfield | ios::uppercase | ios::showbase) << 100000000000.0 << ' '
       << 0.1f << ' ' << true << boolalpha << true << '\n';
}

static void nodes() {
  map<unsigned, int> tree;
  multiset<int> repeated;
  list<int> ring;
  for (int i = 0; i < 3000; ++i) {
    unsigned number = next() % 500;
    tree[number] = i;
    repeated.insert(number % 90);
    ring.push_back(number);
    if (i % 2)
      tree.erase(next() % 500);
    if (i % 3 == 0 && !repeated.empty())
      repeated.erase(repeated.begin());
    if (i % 5 == 0)
      repeated.erase(next() % 90);
  }
  unsigned long sum = 0;
  for (map<unsigned, int>::reverse_iterator item = tree.rbegin(); item != tree.rend(); ++item)
    sum = sum * 17 + item->first * 31 + item->second;
  for (multiset<int>::iterator item = repeated.begin(); item != repeated.end(); ++item)
    sum = sum * 17 + *item;
  list<int> other(3, 1000);
  ring.reverse();
  ring.splice(++ring.begin(), other, other.begin());
  ring.sort();
  swap(ring, other);
  other.merge(ring);
  for (list<int>::iterator item = other.begin(); item != other.end(); ++item)
    sum = sum * 17 + *item;
  cout << tree.size() << ' ' << repeated.size() << ' ' << other.size() << ' ' << sum << '\n';
#if __cplusplus >= 201103L
  unordered_map<string, int> words;
  unordered_set<unsigned> hashed;
  hashed.max_load_factor(0.7f);
  for (int i = 0; i < 40000; ++i) {
    if (i < 2000)
      words["word " + to_string(next() % 700)] += i;
    hashed.insert(next());
    if ((i & (i - 1)) == 0)
      cout << words.bucket_count() << ' ' << hashed.bucket_count() << ' ';
  }
  unordered_set<int> reserved(12);
  reserved.reserve(1000000);
  sum = 0;
  for (const auto &item : words)
    sum = sum * 17 + item.second;
  for (unsigned number : hashed)
    sum = sum * 17 + number;
  cout << reserved.bucket_count() << ' ' << sum << '\n';
  for (size_t size = 0; size < 20; ++size)
    cout << hash<string>()(string("a text of 19 bytes.").substr(0, size)) << ' ';
  cout << '\n';
#endif
}

int main() {
  strings();
  input();
  numberTexts();
  nodes();
  ostream *stream = new ofstream("shims.txt");
  *stream << "in a file " << 5 << endl;
  cout << typeid(*stream).name() << (dynamic_cast<ofstream *>(stream) != 0)
       << (typeid(*stream) == typeid(ofstream)) << '\n';
  delete stream;
  ifstream file("shims.txt");
  cout << string(istreambuf_iterator<char>(file), istreambuf_iterator<char>())
       << (void *)file.rdbuf() << '\n';
  remove("shims.txt");
}
