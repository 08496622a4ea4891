//! Placeholders of SQL templates: forms that a person enters as examples.

import { refuse } from '../../kit/tool.js';

// biome-ignore lint/suspicious/noTemplateCurlyInString: a form that templates use
const ACCEPTED = 'Accepted are ? $1 :1 ?1 :name @name $name {{name}} ${name} {name} %s %(name)s.';
const NAME = '[A-Za-z_][A-Za-z0-9_.]*';

/** @type {[RegExp, (form: string) => { key: string, value: unknown }][]} */
const FORMS = [
  [/^\?$/, () => ({ key: 'positional', value: true })],
  [/^[?:$]1$/, (form) => ({ key: 'numbered', value: form[0] })],
  [/^[:@$](?!1$)[a-z_]+$/i, (form) => ({ key: 'named', value: form[0] })],
  [/^\{\{[a-z_]+\}\}$/i, () => custom(String.raw`\{\{[^{}]*\}\}`)],
  [/^\$\{[a-z_]+\}$/i, () => custom(String.raw`\$\{[^{}]*\}`)],
  [/^\{[a-z_]+\}$/i, () => custom(String.raw`\{${NAME}\}`)],
  [/^%s$/, () => custom('%[sdb]')],
  [/^%\([a-z_]+\)s$/i, () => custom(String.raw`%\(${NAME}\)s`)],
];

/** @param {string} regex */
const custom = (regex) => ({ key: 'custom', value: { regex } });

/** Forms that the library takes for errors: named parameters and staged files. @type {Record<string, string>} */
const OWN = {
  duckdb: String.raw`\$${NAME}`,
  snowflake: String.raw`@(?:[~%][\w$]*|[\w$.]+)(?:/[\w$./=-]*)?`,
};

/** Tags of Jinja, as in dbt. */
const TAGS = String.raw`\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}`;

/** Options of sql-formatter for a list of forms, and for what the text has by itself. @param {string} forms @param {string} dialect @param {string} source */
export function readPlaceholders(forms, dialect, source) {
  const words = forms.split(/[\s,]+/).filter(Boolean);
  /** @type {Record<string, any>} */
  const types = {};
  const own = OWN[dialect];
  if (own) types.custom = [{ regex: own }];
  if (new RegExp(TAGS).test(source)) types.custom = [...(types.custom ?? []), { regex: TAGS }];
  for (const word of words) {
    const [, make] = FORMS.find(([pattern]) => pattern.test(word)) ?? [];
    if (!make) {
      return refuse('placeholders', `has the unknown form "${word}"`, { hint: ACCEPTED });
    }
    const { key, value } = make(word);
    if (key === 'positional') types[key] = value;
    else types[key] = [...(types[key] ?? []), value];
  }
  return { paramTypes: types };
}
