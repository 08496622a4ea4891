//! Placeholder text from the words of Cicero's De finibus bonorum et malorum, reproducible by a
//! seed.

const CLASSIC =
  'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna aliqua'.split(
    ' ',
  );
const WORDS =
  `a ab accusamus accusantium ad adipisci alias aliquam aliquid amet animi aperiam architecto asperiores aspernatur
  assumenda at atque aut autem beatae blanditiis commodi consectetur consequatur consequuntur corporis corrupti culpa
  cum cumque cupiditate debitis delectus deleniti deserunt dicta dignissimos distinctio dolor dolore dolorem doloribus
  dolorum ducimus ea eaque earum eius eligendi enim eos error esse est et eum eveniet ex excepturi exercitationem
  expedita explicabo facere facilis fuga fugiat fugit harum hic id illo illum impedit in incidunt inventore ipsa ipsam
  ipsum iste itaque iure iusto labore laboriosam laborum laudantium libero magnam magni maiores maxime minima minus
  modi molestiae molestias mollitia nam natus necessitatibus nemo neque nesciunt nihil nisi nobis non nostrum nulla
  numquam obcaecati odio odit officia officiis omnis optio pariatur perferendis perspiciatis placeat porro possimus
  praesentium provident quae quaerat quam quas quasi qui quia quibusdam quidem quis quisquam quo quod quos ratione
  recusandae reiciendis rem repellat repellendus reprehenderit repudiandae rerum saepe sapiente sed sequi similique
  sint sit soluta sunt suscipit tempora tempore temporibus tenetur totam ullam unde ut vel velit veniam veritatis vero
  vitae voluptas voluptate voluptatem voluptatibus voluptatum`.split(/\s+/);

/** Pseudorandom numbers from a seed (xmur3 and mulberry32). @param {string} seed */
export function seeded(seed) {
  let state = 1779033703 ^ seed.length;
  for (const character of seed) {
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 3432918353);
    state = (state << 13) | (state >>> 19);
  }
  return (/** @type {number} */ below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

const capital = (/** @type {string} */ word) => word.charAt(0).toUpperCase() + word.slice(1);

/** Text from a seed. `classic` starts with "Lorem ipsum dolor sit amet". Unspecified lengths vary. */
export class Lorem {
  #random;
  #opening;
  #lengths;
  /**
   * @param {string} seed @param {boolean} classic
   * @param {{ words?: number | null, sentences?: number | null }} [lengths] of each sentence, of each paragraph
   */
  constructor(seed, classic, lengths = {}) {
    this.#random = seeded(seed);
    this.#opening = classic ? [...CLASSIC] : [];
    this.#lengths = lengths;
  }
  #word() {
    return this.#opening.shift() ?? WORDS[this.#random(WORDS.length)] ?? '';
  }
  /** @param {number} count */
  words(count) {
    return Array.from({ length: count }, () => this.#word());
  }
  sentence() {
    const opening = this.#opening.length;
    const words = this.words(this.#lengths.words ?? (opening > 0 ? opening : 6 + this.#random(10)));
    if (words.length < 6) return `${capital(words.join(' '))}.`;
    const comma = opening > 0 ? 5 : 3 + this.#random(words.length - 4);
    return `${capital(words.slice(0, comma).join(' '))}, ${words.slice(comma).join(' ')}.`;
  }
  /** @param {number} count */
  sentences(count) {
    return Array.from({ length: count }, () => this.sentence());
  }
  paragraph() {
    return this.sentences(this.#lengths.sentences ?? 4 + this.#random(4)).join(' ');
  }
  /** Text of exactly this many bytes (ASCII only). @param {number} count */
  bytes(count) {
    let text = this.sentence();
    while (text.length < count) text += ` ${this.sentence()}`;
    const cut = text.slice(0, count);
    return count > 1 ? `${cut.slice(0, -1).replace(/[ ,]$/, 'a')}.` : cut;
  }
}
