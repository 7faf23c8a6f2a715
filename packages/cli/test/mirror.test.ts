import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { answered, folder, openfountain, serving } from '@openfountain/testing/command/shell'

const source = ['--source', 'City of Lund', '--license', 'CC0-1.0']

async function imported(
  cwd: string,
  name: string,
  rows: readonly string[],
  more: readonly string[] = [],
): Promise<void> {
  await writeFile(path.join(cwd, name), `${['id,name,latitude,longitude', ...rows].join('\n')}\n`)
  await answered(z.unknown(), ['import', name, ...source, '--keep-missing', ...more], { cwd })
}

describe('mirror', () => {
  const Followed = z.object({ entries: z.int(), head: z.object({ id: z.int(), hash: z.string() }) })

  test('copies another instance, follows it, and refuses a history that was rewritten', async () => {
    const cwd = await folder()
    await imported(cwd, 'lund.csv', [
      'a1,Market square,55.7029,13.1929',
      'a2,Botanical garden,55.7038,13.2012',
    ])
    const Copied = z.object({ head: z.object({ id: z.int() }) })
    const { head: before } = await answered(Copied, ['backup', 'before.db'], { cwd })
    const instance = await serving([], { cwd })
    const args = ['mirror', instance.url, '--db', 'copy.db']
    expect((await answered(Followed, args, { cwd })).entries).toBe(before.id)
    expect((await openfountain(['log', 'head', '--db', 'copy.db'], { cwd })).stdout).toBe(
      (await openfountain(['log', 'head'], { cwd })).stdout,
    )
    await imported(cwd, 'more.csv', ['a3,Station,55.7,13.18'])
    const { entries, head } = await answered(Followed, args, { cwd })
    expect([entries, head.id > before.id]).toEqual([head.id - before.id, true])
    expect((await openfountain(['log', 'verify', '--db', 'copy.db'], { cwd })).code).toBe(0)
    await instance.stop()

    await imported(cwd, 'other.csv', ['b1,Elsewhere,10,20'], ['--db', 'before.db'])
    const rewritten = await serving(['--db', 'before.db'], { cwd })
    const { code, stderr } = await openfountain(['mirror', rewritten.url, '--db', 'copy.db'], { cwd })
    expect(code).toBe(4)
    expect(stderr).toContain(`entry ${before.id + 1} is the first that differs`)
    expect(
      (await answered(z.object({ totalWaypoints: z.int() }), ['stats', '--db', 'copy.db'], { cwd }))
        .totalWaypoints,
    ).toBe(3)
  })

  test('an instance that is not there has a code of its own', async () => {
    const { code, stderr } = await openfountain(['mirror', 'http://127.0.0.1:9', '--db', ':memory:'])
    expect(code).toBe(7)
    expect(stderr).toContain('cannot be reached')
    expect((await openfountain(['mirror', 'nowhere', '--db', ':memory:'])).code).toBe(2)
  })
})
