import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { defaultRules } from '@openfountain/core'
import { levelOf, limits, pages } from '@openfountain/core/rules'

const specified = readFileSync(new URL('../../../docs/specification.md', import.meta.url), 'utf8')
  .split('\n')
  .map((line) => line.replaceAll(/ +/gu, ' '))

/** The rows of the table: event, XP earned, and the XP required by a gate, if any. */
const events = specified.flatMap((line) => {
  const [, event = '', earns, needs = ''] = /^\| .* \(`(\w+)`\) \| (\d+) \| (\d*) ?\|$/u.exec(line) ?? []
  return earns === undefined ? [] : [{ event, earns: Number(earns), needs }]
})

test('specification 2.5: each event earns what the table says, and the table has each', () => {
  expect(Object.fromEntries(events.map(({ event, earns }) => [event, earns]))).toEqual(defaultRules.xp)
})

test('specification 2.5: each gate needs what the table says, and the table has each', () => {
  const gates = events.filter(({ needs }) => needs !== '')
  const { photoWithoutReview, ...required } = defaultRules.gates
  expect(Object.fromEntries(gates.map(({ event, needs }) => [event, Number(needs)]))).toEqual(required)
  expect(specified.join('\n')).toContain(`\`photoWithoutReview\` (${photoWithoutReview} XP)`)
})

test('specification 2.5: a level begins at its XP', () => {
  for (const [index, start] of [0, 100, 250, 500, 1000, 1200, 1400].entries())
    expect([levelOf(start), levelOf(Math.max(0, start - 1))]).toEqual([index + 1, Math.max(1, index)])
})

test('specification 8: page sizes are those of the table', () => {
  expect(specified).toEqual(
    expect.arrayContaining([
      `| \`limit\` of the leaderboard | ${pages.leaderboard.default} | ${pages.leaderboard.max} |`,
      `| \`limit\` of \`/api/logs\` | ${pages.logs.default} | ${pages.logs.max} |`,
      `| \`limit\` of \`/api/logs/recent\` | ${pages.recentLogs.default} | ${pages.recentLogs.max} |`,
    ]),
  )
})

test('specification 2.5: every gate can be reached from zero XP', () => {
  const { gates, xp } = defaultRules
  const reachable = new Set<keyof typeof gates>()
  const earns: Readonly<Record<string, number>> = xp
  for (const [gate, needed] of Object.entries(gates).toSorted(([, a], [, b]) => a - b)) {
    const open = needed === 0 || [...reachable].some((before) => (earns[before] ?? 0) > 0)
    if (open) reachable.add(gate as keyof typeof gates)
  }
  expect([...reachable].toSorted()).toEqual(Object.keys(gates).toSorted())
})

test('specification 2.1, 2.2 and 2.3: texts are limited as the tables say', () => {
  expect(limits).toMatchObject({
    waypointName: 200,
    description: 2000,
    maintainer: 200,
    region: 200,
    comment: 2000,
    userName: 80,
    amenities: 32,
    amenity: 64,
    imageUrl: 2000,
  })
})
