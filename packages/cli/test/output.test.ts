import { token } from '@openfountain/core'
import { expect, test } from 'vitest'
import { fitted, inert, inertJson, widthOf } from '../src/inert.ts'
import { tableLines } from '../src/table.ts'
import { workplace } from '@openfountain/testing/command/shell'

const hostile = 'a\u001b[31mred\u001b]0;title\u0007\u009b2J\u202Eevil\u2066\r\nnext'

test('text of other people cannot steer a terminal', () => {
  expect(inert(hostile)).toBe(
    String.raw`a\u001b[31mred\u001b]0;title\u0007\u009b2J\u202eevil\u2066\u000d\nnext`,
  )
  expect(inert('Ümläüt 泉 🌊 é')).toBe('Ümläüt 泉 🌊 é')
  expect(inert('half \ud83c')).toBe(String.raw`half \ud83c`)
})

test('text of other people is the same text in JSON, which cannot steer one either', () => {
  const json = inertJson({ name: hostile }, 2)
  expect(json).not.toMatch(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u)
  expect(json).not.toContain('\u001b')
  expect(JSON.parse(json)).toEqual({ name: hostile })
})

test('text of other people comes inert out of every command that shows it, and out of messages', async () => {
  const { registry, run } = await workplace()
  await registry(async ({ tokens, users, waypoints }) => {
    // Names may have direction marks, which Arabic and Hebrew need; other texts may have all of them.
    const name = 'Fountain \u200Fdekcah'
    await users.create({ name, id: 'eve' })
    const texts = { description: 'two\nlines', region: '\u202Edekcah\u202C' }
    await waypoints.create({ name, latitude: 1, longitude: 2, ...texts }, token('eve'))
    await tokens.create({ name, ownerId: 'eve' })
  })
  const both = ['user list', 'log show 2', 'log show 2 --all']
  const lines = [
    ...both.flatMap((line) => [line, `${line} --json`]),
    'user show eve',
    'user export eve',
    'token list',
  ]
  for (const line of [...lines, 'log show', 'log show --all']) {
    const { code, stdout } = await run(line)
    expect([line, code]).toEqual([line, 0])
    expect(stdout).not.toMatch(/[\u200F\u202E]/u)
    expect(stdout).not.toContain('two\nlines')
  }
  const { stderr } = await run('frob\u001b[2J')
  expect(stderr).not.toContain('\u001b')
  expect(stderr).toContain('u001b[2J')
})

const shape = { NAME: 'name', COUNT: ({ count }: { count?: number }) => count } as const
const rows = [
  { name: 'Ada', count: 1234 },
  { name: '泉 みなも' },
  { name: 'A name that is much longer than its column can be', count: 5 },
]

test('tables stand in columns, wide characters counted as two, numbers to the right', () => {
  expect(tableLines(rows.slice(0, 2), shape)).toEqual(['NAME       COUNT', 'Ada        1,234', '泉 みなも'])
})

test('tables fit a terminal by shortening the widest column', () => {
  const lines = tableLines(rows, shape, 30)
  expect(Math.max(...lines.map(widthOf))).toBe(30)
  expect(lines[3]).toMatch(/^A name that is much lo…/u)
  expect(fitted('泉泉泉', 4)).toBe('泉…')
})
