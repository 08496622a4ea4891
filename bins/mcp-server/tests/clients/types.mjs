// Types that a client derives from the list of tools. usage: node types.mjs LIST_JSON
// Each property of each answer must have one, and the whole must compile with `strict`.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compile } from 'json-schema-to-typescript';
import ts from 'typescript';

// As the inspector prints it.
const { tools } = JSON.parse(readFileSync(process.argv[2], 'utf8')).result;
const options = { additionalProperties: false, bannerComment: '' };
const types = await Promise.all(tools.map(tool => compile(tool.outputSchema, tool.name, options)));
const file = join(mkdtempSync(join(tmpdir(), 'types-')), 'tools.ts');
writeFileSync(file, types.join('\n'));

const program = ts.createProgram([file], { strict: true, noEmit: true });
const faults = ts.getPreEmitDiagnostics(program);
assert.deepEqual(faults.map(fault => ts.flattenDiagnosticMessageText(fault.messageText, '\n')), []);

// Also a type that accepts any members says nothing; what a token contains is open.
const open = ['header', 'payload'];
const isUnknown = type => [ts.SyntaxKind.UnknownKeyword, ts.SyntaxKind.AnyKeyword].includes(type.kind);
const isOpen = type => ts.isTypeLiteralNode(type) && type.members.every(it => ts.isIndexSignatureDeclaration(it) && isUnknown(it.type));
let count = 0;
const untyped = [];
const visit = node => {
  if (ts.isPropertySignature(node)) {
    count += 1;
    const name = node.name.getText();
    if (isUnknown(node.type) || (isOpen(node.type) && !open.includes(name))) untyped.push(name);
  }
  ts.forEachChild(node, visit);
};
visit(program.getSourceFile(file));
assert.deepEqual(untyped, []);
assert.ok(count > 80, `${count} properties`);
console.log(`${count} properties of ${tools.length} answers, each with a type`);
