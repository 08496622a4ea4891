//! Types of JSON samples in Go (encoding/json), Rust (serde), Python (Pydantic 2), Zod, and as JSON Schema 2020-12.
import { braced, json } from '../../lib/literals.js';
import { identifiers, modelOf } from './model.js';

export { TAKEN } from './model.js';

/** @typedef {import('./shapes.js').Shape} Shape */
/** @typedef {import('./model.js').Type} Type */
/** @typedef {(shape: Shape, root: string, warn: (sentence: string) => void) => string} Writer */

/** @param {string[]} words */
const snake = (words) => words.join('_').toLowerCase();
/** @param {string[]} words */
const pascal = (words) =>
  words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');

/** Writes a type by a table of its kinds. @param {Record<string, string>} kinds @param {(item: string) => string} list @param {(written: string, type: Type) => string} nullable */
const typesBy = (kinds, list, nullable) => {
  /** @type {(type: Type, isOptional?: boolean) => string} */
  const write = (type, isOptional = false) => {
    const { kind, item, record = '' } = type;
    const written = item ? list(write(item)) : (kinds[kind] ?? record);
    const isNull = type.isNull && kind !== 'any';
    return isNull || isOptional ? nullable(written, type) : written;
  };
  return write;
};

const goType = typesBy(
  {
    text: 'string',
    integer: 'int64',
    large: 'float64',
    number: 'float64',
    truth: 'bool',
    any: 'any',
    map: 'map[string]any',
  },
  (item) => `[]${item}`,
  // These hold null already.
  (written, { kind }) => (/^(?:any|map|list)$/.test(kind) ? written : `*${written}`),
);
/** Names that encoding/json accepts in a tag. */
const GO_NAME = /^[\p{L}\p{N}!#$%&()*+\-./:;<=>?@[\]^_{|}~ ]+$/u;

/** @type {Writer} */
function go(shape, root, warn) {
  const { type, made } = modelOf(shape, root);
  const structs = made.toReversed().map(({ name, members }) => {
    const able = members.filter((member) => GO_NAME.test(member.name));
    for (const member of members)
      if (!able.includes(member))
        warn(`The key ${json(member.name)} was left out: encoding/json does not accept it.`);
    const ids = identifiers(able, pascal).map((id) => id.replace(/^(?!\p{Lu})/u, 'X'));
    const rows = able.map((member, at) => {
      const more = member.isOptional ? ',omitempty' : member.name === '-' ? ',' : '';
      return [
        ids[at] ?? '',
        goType(member.type, member.isOptional),
        `\`json:"${member.name}${more}"\``,
      ];
    });
    const [first, second] = [0, 1].map((column) =>
      Math.max(...rows.map((row) => row[column]?.length ?? 0)),
    );
    const lines = rows.map(
      ([id = '', of = '', tag]) => `\t${id.padEnd(first ?? 0)} ${of.padEnd(second ?? 0)} ${tag}\n`,
    );
    return `type ${name} struct {\n${lines.join('')}}\n`;
  });
  const own = type.record === root ? [] : [`type ${root} ${goType(type)}\n`];
  return ['package main\n', ...own, ...structs].join('\n');
}

const rustType = typesBy(
  {
    text: 'String',
    integer: 'i64',
    large: 'f64',
    number: 'f64',
    truth: 'bool',
    any: 'serde_json::Value',
    map: 'serde_json::Map<String, serde_json::Value>',
  },
  (item) => `Vec<${item}>`,
  (written) => `Option<${written}>`,
);
const RUST_WORDS =
  /^(?:abstract|as|async|await|become|box|break|const|continue|crate|do|dyn|else|enum|extern|false|final|fn|for|gen|if|impl|in|let|loop|macro|match|mod|move|mut|override|priv|pub|ref|return|self|static|struct|super|trait|true|try|type|typeof|unsafe|unsized|use|virtual|where|while|yield)$/;

/** @type {Writer} */
function rust(shape, root) {
  const { type, made } = modelOf(shape, root);
  const structs = made.toReversed().map(({ name, members }) => {
    const ids = identifiers(members, snake, RUST_WORDS);
    const lines = members.flatMap((member, at) => {
      const attributes = [
        ...(ids[at] === member.name ? [] : [`rename = ${braced(member.name)}`]),
        ...(member.isOptional ? ['skip_serializing_if = "Option::is_none"'] : []),
      ];
      return [
        ...attributes.map((attribute) => `    #[serde(${attribute})]\n`),
        `    pub ${ids[at]}: ${rustType(member.type, member.isOptional)},\n`,
      ];
    });
    return `#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]\npub struct ${name} {\n${lines.join('')}}\n`;
  });
  const own = type.record === root ? [] : [`pub type ${root} = ${rustType(type)};\n`];
  const head = made.length > 0 ? ['use serde::{Deserialize, Serialize};\n'] : [];
  return [...head, ...own, ...structs].join('\n');
}

const pythonType = typesBy(
  {
    text: 'str',
    integer: 'int',
    large: 'int',
    number: 'float',
    truth: 'bool',
    any: 'Any',
    map: 'dict[str, Any]',
  },
  (item) => `list[${item}]`,
  (written, { kind }) => (kind === 'any' ? written : `${written} | None`),
);
/** Reserved words, the types above, and the members that every model has. */
const PYTHON_WORDS =
  /^(?:and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield|bool|dict|float|int|list|str|construct|copy|json|schema|validate|model_.*|parse_.*|from_orm|schema_json|update_forward_refs)$/;

/** @type {Writer} */
function python(shape, root) {
  const { type, made } = modelOf(shape, root);
  const classes = made.map(({ name, members }) => {
    const ids = identifiers(members, snake, PYTHON_WORDS);
    const lines = members.map((member, at) => {
      const alias = ids[at] === member.name ? '' : `alias=${json(member.name)}`;
      const value = member.isOptional ? 'None' : '';
      const field = [value && `default=${value}`, alias].filter(Boolean).join(', ');
      const given = alias ? ` = Field(${field})` : value && ` = ${value}`;
      return `    ${ids[at]}: ${pythonType(member.type, member.isOptional)}${given}\n`;
    });
    return `\n\nclass ${name}(BaseModel):\n${lines.join('')}`;
  });
  const own = type.record === root ? '' : `\n\n${root} = ${pythonType(type)}\n`;
  const body = classes.join('') + own;
  const names = ['BaseModel', 'Field'].filter((name) =>
    new RegExp(`\\b${name}\\(|\\(${name}\\)`).test(body),
  );
  const imports = [
    /\bAny\b/.test(body) && 'from typing import Any\n',
    names.length > 0 && `from pydantic import ${names.join(', ')}\n`,
  ];
  return (
    imports.filter(Boolean).join('\n') + body.replace(/^\n+/, imports.some(Boolean) ? '\n\n' : '')
  );
}

const zodType = typesBy(
  {
    text: 'z.string()',
    integer: 'z.number().int()',
    large: 'z.number()',
    number: 'z.number()',
    truth: 'z.boolean()',
    any: 'z.unknown()',
    map: 'z.record(z.string(), z.unknown())',
  },
  (item) => `z.array(${item})`,
  (written) => `${written}.nullable()`,
);

/** @type {Writer} */
function zod(shape, root) {
  const { type, made } = modelOf(shape, root);
  /** @type {[name: string, written: string][]} */
  const all = made.map(({ name, members }) => {
    const lines = members.map((member) => {
      const key = /^[A-Za-z_$][\w$]*$/.test(member.name) && member.name !== '__proto__';
      const name = key ? member.name : `[${json(member.name)}]`;
      return `  ${name}: ${zodType(member.type)}${member.isOptional ? '.optional()' : ''},\n`;
    });
    return [name, `z.object({\n${lines.join('')}})`];
  });
  if (type.record !== root) all.push([root, zodType(type)]);
  const texts = all.map(
    ([name, written]) =>
      `export const ${name} = ${written};\nexport type ${name} = z.infer<typeof ${name}>;\n`,
  );
  return ['import { z } from "zod";\n', ...texts].join('\n');
}

/** @param {Shape} shape @returns {Record<string, unknown>} */
function schemaOf({ members, objectCount, items, ...shape }) {
  const types = [
    members && 'object',
    items && 'array',
    shape.isString && 'string',
    shape.isNumber && (shape.isFraction ? 'number' : 'integer'),
    shape.isBoolean && 'boolean',
    shape.isNull && 'null',
  ].filter(Boolean);
  const all = [...(members ?? [])];
  const required = all.filter(([, { count }]) => count === objectCount).map(([name]) => name);
  return {
    ...(types.length > 0 && { type: types.length === 1 ? types[0] : types }),
    ...(members && {
      properties: Object.fromEntries(all.map(([name, member]) => [name, schemaOf(member.shape)])),
    }),
    ...(required.length > 0 && { required }),
    ...(items && { items: schemaOf(items) }),
  };
}

/** @type {Writer} */
const schema = (shape, root) => {
  const head = { $schema: 'https://json-schema.org/draft/2020-12/schema', title: root };
  return `${JSON.stringify({ ...head, ...schemaOf(shape) }, null, 2)}\n`;
};

/** @type {Record<string, { write: Writer, file: string }>} */
export const WRITERS = {
  go: { write: go, file: 'go' },
  rust: { write: rust, file: 'rs' },
  python: { write: python, file: 'py' },
  zod: { write: zod, file: 'ts' },
  schema: { write: schema, file: 'schema.json' },
};
