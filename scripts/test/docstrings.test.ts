/** @module-tag process */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { newFolder } from '@openfountain/testing/folder'
import { succeed } from '../packages/command.ts'
import { root } from '../packages/folders.ts'
import { docExamples, examplesIn } from '../snippets/docstrings.ts'
import { compilerFindings, prepareFolder, programOf } from '../snippets/program.ts'

const examples = (await docExamples()).map((example, index) => ({
  ...example,
  title: `${example.path}:${example.line}`,
  file: `example-${index}.ts`,
}))

test('examples are found wherever docstrings have them, up to the next tag', () => {
  expect(examples.length).toBeGreaterThan(9)
  const source = '/**\n * Adds.\n *\n * @example\n * add(1, 2) // 3\n * @throws never\n */'
  expect(examplesIn('a.ts', source)).toEqual([{ path: 'a.ts', line: 5, code: 'add(1, 2) // 3' }])
})

describe('every example of a docstring', () => {
  let programs: string
  let output: string
  let findings: string[]

  beforeAll(async () => {
    const folder = newFolder()
    programs = join(folder, 'programs')
    await prepareFolder(programs)
    for (const example of examples) await writeFile(join(programs, example.file), await programOf(example))
    findings = await compilerFindings(programs)
    const files = examples.map(({ file }) => join(programs, file))
    const runner = join(root, 'scripts/snippets/run-examples.ts')
    output = await succeed(process.execPath, ['--conditions=openfountain-source', runner, ...files], {
      cwd: folder,
      env: { ...process.env, TMPDIR: folder },
    })
  })

  test.each(examples)('compiles and runs, and its values are right: $title', ({ file }) => {
    expect(findings.filter((line) => line.includes(file))).toEqual([])
    const line = output.split('\n').find((one) => one.includes(file))
    expect(line).toBe(`worked ${join(programs, file)}`)
  })

  test('nothing else is wrong with the programs', () => {
    expect(findings.filter((line) => !line.includes('example-'))).toEqual([])
  })
})
