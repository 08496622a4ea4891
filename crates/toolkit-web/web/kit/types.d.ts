// Types of the kit: what a tool declares, receives and returns. Read by `tsc` alone, never loaded.

/** A file that a person picked, dropped or pasted. */
export interface FileValue {
  name: string;
  type: string;
  size: number;
  bytes: Uint8Array;
  /** In place of the bytes, of a field with `stream`. */
  blob?: Blob;
}

/** The value of a `text` field: typed text, or the content of a file. */
export interface TextValue {
  /**
   * The text, without a byte order mark (dropped with a warning); of a file by its encoding. Refuses
   * bytes that are no text.
   */
  readonly string: string;
  /** The exact bytes: of the file, or of the text as UTF-8. Refuses half of a surrogate pair. */
  readonly bytes: Uint8Array;
  /**
   * Text exactly as typed, including lone surrogates and a byte order mark; of a file as `string`.
   */
  readonly raw: string;
  /** Whether nothing was entered. */
  readonly empty: boolean;
  /** Present when the text is from a file. */
  readonly file?: { name: string; type: string; size: number };
  /** The selection in UTF-16 units, when the field was made with `selection: true`. */
  readonly selection?: { start: number; end: number };
}

/** Shows a field only while others have these values: `{ mode: 'encode' }`, `{ mode: ['a', 'b'] }`. */
export type When = Record<string, string | boolean | readonly (string | boolean)[]>;

export interface FieldOptions {
  /** The name of the group that the field stands in. */
  group?: string;
  /** One sentence below the control. Backticks mark code. */
  help?: string;
  /**
   * Shown and used only while these other fields have these values; otherwise it has its default.
   */
  when?: When;
}

export interface TextOptions extends FieldOptions {
  value?: string;
  /** `'file'`: files can be picked, dropped and pasted too. */
  accepts?: 'file';
  /** File types to offer, as in `<input accept>`. */
  types?: string;
  /** The largest size in bytes; 10 MiB unless stated (100 MiB when the text is a file). */
  max?: number;
  /** Visible lines at first, 6 unless stated; the field grows with its text. */
  lines?: number;
  /** Prose rather than code: proportional letters, spell check. */
  prose?: boolean;
  /** Passes on the selection; the tool runs again when it changes. */
  selection?: boolean;
}
export interface LineOptions extends FieldOptions {
  value?: string;
  /** The longest accepted text in characters; 10,000 unless stated. */
  max?: number;
  /** Suggested while typing; other values are accepted too. */
  suggest?: readonly string[];
  /** `true`: monospaced. */
  code?: boolean;
}
export interface ColorOptions extends LineOptions {
  /** The color field is open beside the text. */
  open?: boolean;
}
export interface ChoiceOptions<K extends string> extends FieldOptions {
  /** The key chosen initially; the first one unless stated. */
  value?: NoInfer<K>;
}
export interface ToggleOptions extends FieldOptions {
  value?: boolean;
}
export interface NumberOptions extends FieldOptions {
  /** With a default the value is always a number; without one, an empty field is `null`. */
  value?: number;
  min?: number;
  max?: number;
  /** 1 unless stated: only whole numbers. `'any'`: every number. */
  step?: number | 'any';
  unit?: string;
  /** A slider stands before the number, up to this value; the number may be larger. */
  slider?: number;
}
export interface FileOptions extends FieldOptions {
  types?: string;
  /** The largest size of one file in bytes; 100 MiB unless stated. */
  max?: number;
}
export interface FilesOptions extends FileOptions {
  /** The tool reads `blob` in parts: a file may be larger than the memory. */
  stream?: boolean;
  /** The largest number of files; 50 unless stated. */
  count?: number;
}
export interface RowsOptions<R> extends FieldOptions {
  value?: readonly Partial<R>[];
  /** The largest number of rows; 100 unless stated. */
  max?: number;
  /** The button that adds a row: "Add a row" unless stated. */
  add?: string;
}

/** The kinds of field, with their options. */
interface Kinds {
  text: TextOptions;
  line: LineOptions;
  secret: LineOptions;
  choice: ChoiceOptions<string> & { choices: Readonly<Record<string, string>> };
  toggle: ToggleOptions;
  number: NumberOptions;
  file: FileOptions;
  files: FilesOptions;
  color: ColorOptions;
  date: LineOptions;
  time: LineOptions;
  zone: LineOptions;
  // biome-ignore lint/suspicious/noExplicitAny: rows of any columns
  rows: RowsOptions<any> & { columns: Fields };
}
export type Kind = keyof Kinds;
type Option = { [K in Kind]: keyof Kinds[K] }[Kind];
/** A field of one kind; it has no option of another. */
export type FieldOf<K extends Kind, V = unknown> = {
  kind: K;
  label: string;
  /** Never present: carries the type of the value. */
  of?: () => V;
} & Kinds[K] & { [O in Exclude<Option, keyof Kinds[K]>]?: undefined };
/** One field of a form whose value in `run` has the type `V`. */
export type Field<V = unknown> = { [K in Kind]: FieldOf<K, V> }[Kind];
// biome-ignore lint/suspicious/noExplicitAny: values of any type
export type Fields = Record<string, Field<any>>;
export type Values<F extends Fields> = {
  [K in keyof F]: F[K] extends { of?: () => infer V } ? V : never;
};
/** Values as written in forms, links, examples and tests: texts as strings, numbers as numbers. */
export type RawValues<F extends Fields> = {
  [K in keyof F]?: Values<F>[K] extends TextValue
    ? string | Uint8Array | FileValue
    : Values<F>[K] extends readonly (infer R)[]
      ? readonly Partial<R>[]
      : Values<F>[K];
};

export interface Position {
  /** Character (code point), from 0. */
  offset?: number;
  /** Line and column, from 1. */
  line?: number;
  column?: number;
  /** What is named in place of the character: "Row 2". */
  place?: string | undefined;
  /** A whole sentence: what is accepted, or what to do instead. */
  hint?: string;
  /** Values of the form that would be accepted, each offered as a button. */
  use?: readonly Record<string, string>[];
}

export interface Context {
  /** Warns of an assumption, a tolerated error or a change: one whole sentence. */
  warn(sentence: string): void;
  /** Told of the field whose file is not plainly UTF-8, so that its encoding can be chosen. */
  decoded?(field: string): void;
  /** The current time. */
  now(): Date;
  /** Bytes from the system's random number generator. */
  random(count: number): Uint8Array;
  /** Decodes UTF-8; other bytes become hexadecimal digits, with a warning. */
  decodeText(bytes: Uint8Array): string;
  /** Shows the progress of a long run. */
  progress(done: number, total: number): void;
  /** Runs the tool again after this many seconds, for results that age. */
  again(seconds: number): void;
  readonly signal: AbortSignal;
}

/** Of a text, as [start, end) in UTF-16 units with a name of style/result.css: in order, without overlap. */
export type Ranges = readonly (readonly [start: number, end: number, name: string])[];
export interface TextOutput {
  kind: 'text';
  text: string;
  file?: string | undefined;
  type?: string | undefined;
  /** Ranges to mark; the name is a class. */
  marks?: readonly (readonly [start: number, end: number, name?: string])[] | undefined;
  /** Language of the text (`lang`), when it is not English or code. */
  lang?: string | undefined;
  prose?: boolean | undefined;
  /** The lines between brackets can be folded. */
  folds?: boolean | undefined;
  /** Tools that are offered for it first, with the values that fill their forms. */
  opens?: readonly Opens[] | undefined;
}
export type Opens = readonly [slug: string, values: Record<string, unknown>];
export type Cell = string | number | boolean | null | undefined;
export interface TableOutput {
  kind: 'table';
  columns: readonly string[];
  rows: readonly (readonly Cell[])[];
  file?: string | undefined;
  /** Cells may be colors, and have swatches. */
  colors?: boolean;
  /** The names of the marks of first cells, and of headings. */
  tones?: readonly (string | undefined)[];
  headTones?: readonly (string | undefined)[];
}
export interface PairsOutput {
  kind: 'pairs';
  pairs: readonly (readonly [string, Cell])[];
  opens?: readonly Opens[] | undefined;
  /** Values may be colors, and have swatches. */
  colors?: boolean;
}
export interface ListOutput {
  kind: 'list';
  items: readonly string[];
  file?: string | undefined;
  /** Large, with digits and signs in tones of their own. */
  tones?: boolean;
}
/** What a picture was before: shown beside it under one slider, each with what is said of it. */
export interface Before {
  data: Uint8Array | Blob;
  type: string;
  /** How it fills the size of the picture, as in CSS. */
  fit: 'cover' | 'fill';
  /** Of what it became. */
  width: number;
  height: number;
  said: readonly [before: string, after: string];
}
export interface PictureOutput {
  kind: 'picture';
  before?: Before | undefined;
  data: string | Uint8Array | Blob;
  type: string;
  alt: string;
  file?: string | undefined;
}
/** The text field that the preview scrolls with. */
export interface Follow {
  field: string;
  /** Ids of the document in order, each with its position in the text, from 0 to 1. */
  anchors: readonly (readonly [id: string, share: number])[];
}
export interface PreviewOutput {
  kind: 'preview';
  html: string;
  follow?: Follow | undefined;
}
export interface Swatch {
  color: string;
  label: string;
}
export interface SwatchesOutput {
  kind: 'swatches';
  swatches: readonly Swatch[];
}
export interface DownloadOutput {
  kind: 'download';
  data: Uint8Array | Blob;
  file: string;
  type: string;
}
/** The answer in one sentence or figure, shown large above what supports it. */
export interface HeadlineOutput {
  kind: 'headline';
  text: string;
  /** How it is colored; the text says it too. */
  tone?: 'good' | 'bad' | 'note' | undefined;
  /** A CSS color shown beside the text. */
  color?: string | undefined;
  /** Facts in a smaller line below. */
  below?: string | undefined;
}
export interface ViewOutput {
  kind: 'view';
  // biome-ignore lint/suspicious/noExplicitAny: the tool's view knows the type
  data: any;
}
export type Output =
  | TextOutput
  | TableOutput
  | PairsOutput
  | ListOutput
  | PictureOutput
  | PreviewOutput
  | SwatchesOutput
  | DownloadOutput
  | HeadlineOutput
  | ViewOutput;
/** Named results, in the order of the page. Empty ones are left out; the view `marks` has the ranges of fields. */
export type Outputs = Record<string, string | Output | null | undefined>;

export interface Example<F extends Fields> {
  title: string;
  values: RawValues<F>;
  /** Outputs that an empty page shows, of the first example: a string for text, else the same structure. */
  outputs?: Outputs;
  /** All warnings, exactly; none when left out. */
  warnings?: readonly string[];
}
export interface Action<F extends Fields> {
  /** The label of the button. */
  title: string;
  /** The field above the button. */
  field: keyof F & string;
  /** Returns the values to put into the form; may refuse. */
  run(values: Values<F>, context: Context): RawValues<F> | Promise<RawValues<F>>;
}

// biome-ignore lint/suspicious/noExplicitAny: raw values of any field
type Called = Record<string, any> | undefined;

export interface Tool<F extends Fields = Fields> {
  fields: F;
  run(values: Values<F>, context: Context): Outputs | Promise<Outputs>;
  examples: readonly Example<F>[];
  /** Headings of outputs whose name is not clear enough. */
  labels?: Record<string, string>;
  /** The text output that is shown large, where one is the answer; else see `headline`. */
  answer?: string;
  /** Outputs that are alternatives, in the order of their tabs: one is shown at a time. */
  tabs?: readonly string[];
  /** Outputs that are folded until asked for. */
  folded?: readonly string[];
  /** The first field in the popover "Options"; none unless stated. */
  more?: keyof F & string;
  /** The first option, where the fields before it are all content: lines of a form. */
  options?: keyof F & string;
  /** The word of the button, "Run" unless stated: by the values where it depends on them. */
  // biome-ignore lint/suspicious/noExplicitAny: raw values of any field
  verb?: string | ((raw: Record<string, any>) => string);
  /** Buttons that fill fields: a new key, the current time. */
  actions?: readonly Action<F>[];
  /** Nothing is ever kept or put into a link, options included. */
  secrets?: boolean;
  /** Needs WebCrypto, thus HTTPS or localhost. */
  secure?: boolean;
  /** `false`: runs on the button and Ctrl+Enter only; a function decides by the raw values. */
  // biome-ignore lint/suspicious/noExplicitAny: raw values of any field
  live?: boolean | ((raw: Record<string, any>) => boolean);
  /** Needs the thread of the page (DOM); must be short. */
  page?: boolean;
  /** Called once on the page, with the form and the place of the result. */
  drawn?(page: ViewPage, work: HTMLElement): void;
  limits?: {
    /** Seconds that one run may take, 10 unless stated. */
    seconds?: number;
  };
  /** Runs when the page opens, before any input: generators. */
  start?: boolean;
  /** What the form is set to, as the service's tool has it for "Use from code"; undefined: it has nothing like it. */
  // biome-ignore lint/suspicious/noExplicitAny: raw values of any field
  call?(raw: Record<string, any>): Called | Promise<Called>;
  /**
   * Runs on the page after `run`, for what workers cannot do. `raw`: the form's values, files as
   * `File`.
   */
  // biome-ignore lint/suspicious/noExplicitAny: raw values of any field
  finish?(outputs: Outputs, raw: Record<string, any>): Outputs | Promise<Outputs>;
}

/** Arguments of a view besides its data. */
export interface ViewPage {
  el: typeof import('./el.js').el;
  /** Puts values into the form, as if typed. */
  set(values: Record<string, unknown>): void;
  /** The current raw values of the form. */
  values(): Record<string, unknown>;
  /** Announces a sentence to screen readers. */
  announce(sentence: string): void;
  /** Copies a text to the clipboard. */
  copy(text: string): Promise<boolean>;
  /** What a button opens by `popoverTargetElement`: the color field. */
  colorPlace(
    ...args: Parameters<typeof import('./color-control.js').colorPlace>
  ): Promise<HTMLElement | undefined>;
  /** The kinds that a text may be, most certain first. */
  guess(text: string): Promise<[kind: string, certainty: number][]>;
  /** Marks ranges of a text field, or of a line of code, until they are edited. */
  mark(field: string, ranges: Ranges): Promise<void>;
}
/** Default export of web/tools/<slug>/view.js: called once; the function it returns draws each result. */
// biome-ignore lint/suspicious/noExplicitAny: the view knows the type of its data
export type View = (place: HTMLElement, page: ViewPage) => (data: any) => void;
