import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { securityEvents } from '@openfountain/core'
import { refusalEvents } from '@openfountain/server'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { root } from '../packages/folders.ts'

const page = await readFile(join(root, 'docs/security.md'), 'utf8')

test('docs/security.md has every security event with its meaning, and no other', () => {
  const rows = [...page.matchAll(/^\| `([a-z]+\.[a-z]+)` +\| (.+?) +\|$/gmu)].map(([, name, meaning]) => [
    name,
    meaning,
  ])
  expect(rows).toEqual(Object.entries({ ...refusalEvents, ...securityEvents }))
})

/** The numbers of the requirements of OWASP ASVS 5.0.0 (https://github.com/OWASP/ASVS, CC BY-SA 4.0), by level. */
const requirements = z
  .object({ level1: z.array(z.string()), level2: z.array(z.string()) })
  .parse(JSON.parse(await readFile(join(import.meta.dirname, 'asvs-5.0.0.json'), 'utf8')))

const cells = (line: string): string[] =>
  line
    .split('|')
    .map((cell) => cell.trim())
    .slice(1, -1)
const lines = page.slice(page.indexOf('## OWASP ASVS')).split('\n')
const rows = lines
  .filter((line) => /^\| \d+\.\d+\.\d+ +\| \d /u.test(line))
  .map((line) => {
    const [id = '', level = '', state = '', how = '', tests = ''] = cells(line)
    return { id, level, state, how, tests: [...tests.matchAll(/`([^`]+)`/gu)].map(([, path = '']) => path) }
  })
const notApplying = lines
  .slice(lines.indexOf('### What does not apply'))
  .flatMap((line) => (/^\| \d/u.test(line) ? (cells(line)[0] ?? '').split(', ') : []))

test('docs/security.md has every requirement of ASVS 5.0.0 of levels 1 and 2 exactly once, with its level', () => {
  expect(requirements.level1).toHaveLength(70)
  expect(requirements.level2).toHaveLength(183)
  const named = [...rows.map(({ id }) => id), ...notApplying]
  const all = [...requirements.level1, ...requirements.level2]
  expect(named.toSorted()).toEqual(all.toSorted())
  const levelOne = new Set(requirements.level1)
  const wrong = rows.filter(({ id, level }) => level !== (levelOne.has(id) ? '1' : '2'))
  expect(wrong).toEqual([])
})

test('it says of each what the state is and how, and names tests, which exist', () => {
  const known = new Set(['met', 'partly', 'not met', 'operator'])
  expect(rows.filter(({ state, how }) => !known.has(state) || how === '')).toEqual([])
  const untested = rows.filter(({ state, tests }) => state === 'met' && tests.length === 0)
  // A requirement for a document names the document.
  expect(untested.filter(({ how }) => !/\]\(|not tested/u.test(how))).toEqual([])
  const files = new Set(rows.flatMap(({ tests }) => tests))
  const isTest = (file: string): boolean => file.endsWith('.test.ts') && existsSync(join(root, file))
  expect([...files].filter((file) => !isTest(file))).toEqual([])
})

test('it counts them as they are', () => {
  const count = (state: string): number => rows.filter((row) => row.state === state).length
  const sentence = `Of ${rows.length + notApplying.length} requirements, ${count('met')} are met, ${count('partly')} partly, ${count('not met')} not, ${count('operator')} are the operator's, and ${notApplying.length} do not apply.`
  expect(page.replaceAll(/\s+/gu, ' ')).toContain(sentence)
})

test('each attack on signing in names a test that is there', async () => {
  const [begin, end] = ['## Attacks on signing in', '## Attacks to run yourself']
  const attacks = page.slice(page.indexOf(begin), page.indexOf(end))
  const named = [...attacks.matchAll(/\| `(packages\/[^`]+\.test\.ts)`: (.+?) +\|$/gmu)]
  const rowCount = attacks.split('\n').filter((line) => line.startsWith('| ')).length - 2
  expect(named).toHaveLength(rowCount)
  const missing = []
  for (const [, file = '', title = ''] of named) {
    const source = await readFile(join(root, file), 'utf8')
    if (!source.includes(`'${title}'`)) missing.push(`${file}: ${title}`)
  }
  expect(missing).toEqual([])
})
