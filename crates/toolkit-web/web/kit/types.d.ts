// Types of the kit: what a tool declares, receives and returns. For `tsc` only, not loaded by pages.

/** A file that a person picked, dropped or pasted. */
export interface FileValue {
  name: string;
  type: string;
  size: number;
  bytes: Uint8Array;
  /** Replaces `bytes` in fields with `stream`. */
  blob?: Blob;
}

/** The value of a `text` field: typed text, or the content of a file. */
export interface TextValue {
  /**
   * The text without a byte order mark, which is dropped with a warning. Files are decoded by their encoding. Refuses
   * bytes that are not text.
   */
  readonly string: string;
  /** The bytes of the file, or of the text as UTF-8. Refuses lone surrogates. */
  readonly bytes: Uint8Array;
  /**
   * The text exactly as typed, including lone surrogates and a byte order mark. For files like `string`, with the mark.
   */
  readonly raw: string;
  /** Whether the input is empty. */
  readonly empty: boolean;
  /** Present when the text is from a file. */
  readonly file?: { name: string; type: string; size: number };
  /** The selection in UTF-16 units, when the field was made with `selection: true`. */
  readonly selection?: { start: number; end: number };
}

/** Shows a field only while others have these values: `{ mode: 'encode' }`, `{ mode: ['a', 'b'] }`. */
export type When = Record<string, string | boolean | readonly (string | boolean)[]>;

export interface FieldOptions {
  /** Name of the field's group. */
  group?: string;
  /** One sentence below the control. Backticks mark code. */
  help?: string;
  /**
   * The field is shown and used only while other fields have these values. Otherwise it has its default.
   */
  when?: When;
}

export interface TextOptions extends FieldOptions {
  value?: string;
  /** `'file'`: files can also be chosen, dropped and pasted. */
  accepts?: 'file';
  /** File types to offer, as in `<input accept>`. */
  types?: string;
  /** The largest size in bytes; 10 MiB unless stated (100 MiB when the text is a file). */
  max?: number;
  /** Initially visible lines, 6 unless stated. The field grows with its text. */
  lines?: number;
  /** Prose rather than code: proportional letters, spell check. */
  prose?: boolean;
  /** Passes the selection to the tool, which runs again when the selection changes. */
  selection?: boolean;
}
export interface LineOptions extends FieldOptions {
  value?: string;
  /** The longest accepted text in characters; 10,000 unless stated. */
  max?: number;
  /** Suggestions while typing. Other values are accepted too. */
  suggest?: readonly string[];
  /** `true`: monospaced. */
  code?: boolean;
  /** The `autocomplete` attribute. */
  fills?: string;
}
export interface ColorOptions extends LineOptions {
  /** Shows the color field next to the text. */
  open?: boolean;
}
export interface ChoiceOptions<K extends string> extends FieldOptions {
  /** The key chosen initially; the first one unless stated. */
  value?: NoInfer<K>;
  /** Of many choices those that most people come for: they stand beside each other, before the list of the others. */
  beside?: readonly NoInfer<K>[];
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
  /** Adds a slider up to this value. The number may be larger. */
  slider?: number;
}
export interface FileOptions extends FieldOptions {
  types?: string;
  /** The largest size of one file in bytes; 100 MiB unless stated. */
  max?: number;
}
export interface FilesOptions extends FileOptions {
  /** The tool reads `blob` in parts, so that files may exceed the memory. */
  stream?: boolean;
  /** The largest number of files; 50 unless stated. */
  count?: number;
}
export interface RowsOptions<R> extends FieldOptions {
  value?: readonly Partial<R>[];
  /** The largest number of rows; 100 unless stated. */
  max?: number;
  /** Label of the button that adds a row, "Add a row" unless stated. */
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
/** A field of one kind, without the options of others. */
export type FieldOf<K extends Kind, V = unknown> = {
  kind: K;
  label: string;
  /** Only for type inference, never present. */
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
  /** Shown instead of the character position: "Row 2". */
  place?: string | undefined;
  /** A sentence about accepted input or a fix. */
  hint?: string;
  /** Form values that would be accepted. Each gets a button. */
  use?: readonly Record<string, string>[];
}

export interface Context {
  /** Warns about an assumption, a tolerated error or a change, in one sentence. */
  warn(sentence: string): void;
  /** Called for a field whose file is not clearly UTF-8, so that the page offers a choice of encodings. */
  decoded?(field: string): void;
  /** The current time. */
  now(): Date;
  /** Bytes from the system's random number generator. */
  random(count: number): Uint8Array;
  /** Decodes UTF-8. Other bytes become hexadecimal digits, with a warning. */
  decodeText(bytes: Uint8Array): string;
  /** Shows the progress of a long run. */
  progress(done: number, total: number): void;
  /** Runs the tool again after this many seconds, for results that change with time. */
  again(seconds: number): void;
}

/** Of a text, as [start, end) in UTF-16 units with a name of style/result.css: in order, without overlap. */
export type Ranges = readonly (readonly [start: number, end: number, name: string])[];
export interface TextOutput {
  kind: 'text';
  text: string;
  file?: string | undefined;
  type?: string | undefined;
  /** Ranges to mark. The name is a CSS class. */
  marks?: readonly (readonly [start: number, end: number, name?: string])[] | undefined;
  /** Language of the text (`lang`), when it is not English or code. */
  lang?: string | undefined;
  prose?: boolean | undefined;
  /** Lines between brackets can be folded. */
  folds?: boolean | undefined;
  /** Tools that are offered first, with the values for their forms. */
  opens?: readonly Opens[] | undefined;
}
export type Opens = readonly [slug: string, values: Record<string, unknown>];
export type Cell = string | number | boolean | null | undefined;
export interface TableOutput {
  kind: 'table';
  columns: readonly string[];
  rows: readonly (readonly Cell[])[];
  file?: string | undefined;
  /** Cells that are colors have swatches. */
  colors?: boolean;
  /** Names of marks: of the first cell of each row, and of the other cells of each column. */
  tones?: readonly (string | undefined)[];
  columnTones?: readonly (string | undefined)[];
  /** Stacks the cells of a row, each with its column name. */
  stacked?: boolean;
}
export interface PairsOutput {
  kind: 'pairs';
  pairs: readonly (readonly [string, Cell])[];
  opens?: readonly Opens[] | undefined;
  /** The name of the one that the filled button hands over; all of them unless stated. */
  main?: string | undefined;
  /** Values that are colors have swatches. */
  colors?: boolean;
}
export interface ListOutput {
  kind: 'list';
  items: readonly string[];
  file?: string | undefined;
  /** Shown large, with colored digits and signs. */
  tones?: boolean;
}
/** The original of a picture, shown with it under one slider. Both have a caption. */
export interface Before {
  data: Uint8Array | Blob;
  type: string;
  /** How the original fills the picture's size (`object-fit`). */
  fit: 'cover' | 'fill';
  /** Size of the result. */
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
/** A text field whose scrolling the preview follows. */
export interface Follow {
  field: string;
  /** IDs in the document, in order, each with its position in the text from 0 to 1. */
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
/** The answer in one sentence or figure, shown large above the other outputs. */
export interface HeadlineOutput {
  kind: 'headline';
  text: string;
  /** The color. The text says the same. */
  tone?: 'good' | 'bad' | 'note' | undefined;
  /** A CSS color for a swatch next to the text. */
  color?: string | undefined;
  /** Facts in a smaller line below. */
  below?: string | undefined;
}
/** An automatic decision, shown in the head of the result: "PostgreSQL", "Decoded, as it is Base64". */
export interface TookOutput {
  kind: 'took';
  text: string;
  /** How to change it: the field to focus, or a button that sets values. */
  back?: { field: string } | { label: string; values: Record<string, unknown> } | undefined;
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
  | TookOutput
  | ViewOutput;
/** Named results, in display order. Empty ones are skipped. The view `marks` contains ranges of fields, `took` is shown in the head. */
export type Outputs = Record<string, string | Output | null | undefined>;

export interface Example<F extends Fields> {
  title: string;
  values: RawValues<F>;
  /** What an empty page shows, of the first example. A string is a text output. */
  outputs?: Outputs;
}
export interface Action<F extends Fields> {
  /** The label of the button. */
  title: string;
  /** The field above the button. */
  field: keyof F & string;
  /** Returns the values to set in the form. May refuse. */
  run(values: Values<F>, context: Context): RawValues<F> | Promise<RawValues<F>>;
}

// biome-ignore lint/suspicious/noExplicitAny: raw values of any field
type Called = Record<string, any> | undefined;

export interface Tool<F extends Fields = Fields> {
  fields: F;
  run(values: Values<F>, context: Context): Outputs | Promise<Outputs>;
  examples: readonly Example<F>[];
  /** Headings of outputs, where their names are not clear enough. */
  labels?: Record<string, string>;
  /**
   * The outputs that the product button copies or saves, preferred ones first, with their labels. Unless stated, the
   * answer or the first output that can be copied.
   */
  // biome-ignore lint/suspicious/noExplicitAny: raw values of any field
  product?: Record<string, string> | ((raw: Record<string, any>) => Record<string, string>);
  /** The text output that is the answer, shown large. For other answers see `headline`. */
  answer?: string;
  /** Alternative outputs, in the order of their tabs. */
  tabs?: readonly string[];
  /** Outputs that are folded at first. */
  folded?: readonly string[];
  /** The first field under "Options"; none unless stated. */
  more?: keyof F & string;
  /** The first option, if all fields before it are main inputs. */
  options?: keyof F & string;
  /** Label of the button, "Run" unless stated. May depend on the values. */
  // biome-ignore lint/suspicious/noExplicitAny: raw values of any field
  verb?: string | ((raw: Record<string, any>) => string);
  /** Buttons that fill fields: a new key, the current time. */
  actions?: readonly Action<F>[];
  /** Nothing is kept or put into a link, not even options. `'input'`: options are remembered. */
  secrets?: boolean | 'input';
  /** Needs WebCrypto, thus HTTPS or localhost. */
  secure?: boolean;
  /** `false`: runs only on the button and Ctrl+Enter. A function decides by the raw values. */
  // biome-ignore lint/suspicious/noExplicitAny: raw values of any field
  live?: boolean | ((raw: Record<string, any>) => boolean);
  /** Called once on the page, with the form and the result pane. */
  drawn?(page: ViewPage, work: HTMLElement): void;
  limits?: {
    /** Time limit of a run in seconds, 10 unless stated. */
    seconds?: number;
  };
  /** Runs when the page opens, before any input. */
  start?: boolean;
  /** The inputs of the service's tool for "Use from code". Undefined if the service cannot do this. */
  // biome-ignore lint/suspicious/noExplicitAny: raw values of any field
  call?(raw: Record<string, any>): Called | Promise<Called>;
  /**
   * Runs on the page after `run`, for work that workers cannot do. `raw`: the form's values, with files as `File`.
   */
  // biome-ignore lint/suspicious/noExplicitAny: raw values of any field
  finish?(outputs: Outputs, raw: Record<string, any>): Outputs | Promise<Outputs>;
}

/** Arguments of a view besides its data. */
export interface ViewPage {
  el: typeof import('./el.js').el;
  /** Sets values in the form, as if typed. */
  set(values: Record<string, unknown>): void;
  /** The current raw values of the form. */
  values(): Record<string, unknown>;
  /** Announces a sentence to screen readers. */
  announce(sentence: string): void;
  /** A popover with the color field, for `popoverTargetElement`. */
  colorPlace(
    ...args: Parameters<typeof import('./color-control.js').colorPlace>
  ): Promise<HTMLElement | undefined>;
  /** The kinds that a text may be, most certain first. */
  guess(text: string): Promise<[kind: string, certainty: number][]>;
  /** Marks ranges of a text field or a code line until they are edited. */
  mark(field: string, ranges: Ranges): Promise<void>;
}
/** Default export of web/tools/<slug>/view.js. Called once. Returns a function that draws each result. */
// biome-ignore lint/suspicious/noExplicitAny: the view knows the type of its data
export type View = (place: HTMLElement, page: ViewPage) => (data: any) => void;
