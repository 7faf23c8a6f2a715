import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { succeed } from '../packages/command.ts'
import { root } from '../packages/folders.ts'
import { docExamples, examplesIn } from '../snippets/docstrings.ts'
import { compilerFindings, prepareFolder, programOf } from '../snippets/program.ts'

// Most tests here wait for other programs, however long those take.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 })

const examples = await docExamples()
const titled = examples.map((example, index) => ({
  ...example,
  title: `${example.path}:${example.line}`,
  file: `example-${index}.ts`,
}))

test('examples are found wherever docstrings have them', () => {
  expect(examples.length).toBeGreaterThan(9)
})

test('an example ends with its docstring or the next tag', () => {
  const source = [
    '/** One line, no example. */',
    '/**',
    ' * Adds.',
    ' *',
    ' * @example',
    ' * add(1, 2) // 3',
    ' * add(',
    ' *   1,',
    ' * )',
    ' * @throws never',
    ' */',
  ].join('\n')
  expect(examplesIn('a.ts', source)).toEqual([
    { path: 'a.ts', line: 6, code: 'add(1, 2) // 3\nadd(\n  1,\n)' },
  ])
})

describe('every example of a docstring', () => {
  let folder: string
  let output: string
  let findings: string[]

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'openfountain-docstrings-'))
    await prepareFolder(join(folder, 'programs'))
    for (const example of titled)
      await writeFile(join(folder, 'programs', example.file), await programOf(example))
    findings = await compilerFindings(join(folder, 'programs'))
    const files = titled.map(({ file }) => join(folder, 'programs', file))
    const program = join(root, 'scripts/snippets/run-examples.ts')
    const options = ['--conditions=openfountain-source', program, ...files]
    output = await succeed(process.execPath, options, {
      cwd: folder,
      env: { ...process.env, TMPDIR: folder },
    })
  })

  afterAll(() => rm(folder, { recursive: true, force: true }))

  test.each(titled)('compiles: $title', ({ file }) => {
    expect(findings.filter((line) => line.includes(file))).toEqual([])
  })

  test.each(titled)('runs, and its values are right: $title', ({ file }) => {
    const line = output.split('\n').find((one) => one.includes(file))
    expect(line).toBe(`worked ${join(folder, 'programs', file)}`)
  })

  test('nothing else is wrong with the programs', () => {
    expect(findings.filter((line) => !line.includes('example-'))).toEqual([])
  })
})
