import { readFileSync, writeFileSync } from 'node:fs'
import { token } from '@openfountain/core'
import { workplace } from '@openfountain/testing/command/shell'
import { expect, test } from 'vitest'

async function signed() {
  const place = await workplace()
  const { at, run, registry } = place
  await registry(async ({ waypoints }) => {
    const { id } = await waypoints.create({ name: 'Market', latitude: 55.7, longitude: 13.19 }, token())
    await waypoints.update(id, { description: 'Call Ada' }, token())
    await waypoints.create({ name: 'Harbour', latitude: 55.8, longitude: 13.19 }, token())
  })
  const key = (await run('log key create --origin-name fountains.example')).stdout.trim()
  await run('export --out old --formats changes')
  const prove = async (line: string) => {
    writeFileSync(at('proof.json'), (await run(line)).stdout)
    return run(`log check proof.json --key ${key}`)
  }
  return { ...place, key, prove }
}

test('a proof of an entry, and of the history of a fountain, is checked without a database; what it does not prove is said', async () => {
  const { at, key, prove, run } = await signed()
  const { code, stdout } = await prove('log prove 1 --fountain')
  expect(code).toBe(0)
  expect(stdout).toContain('Proven: 2 entries in the log of fountains.example with 3 entries, signed by ')
  expect(stdout).toContain('waypoint 1 edited')
  expect(stdout).toContain('Not proven: that everybody was shown this log')
  expect((await prove('log prove 3')).code).toBe(0)
  const text = readFileSync(at('proof.json'), 'utf8')
  writeFileSync(at('proof.json'), text.replace('Harbour', 'Castle'))
  expect(await run(`log check proof.json --key ${key}`)).toMatchObject({
    code: 4,
    stdout: expect.stringContaining('does NOT hold: entry 3: is not in the log of the checkpoint') as string,
  })
  expect((await run('log check proof.json')).stderr).toContain('--key is needed')
  writeFileSync(at('proof.json'), '{}')
  expect((await run(`log check proof.json --key ${key}`)).stdout).toContain('is not a proof.json')
})

test('a log that does not continue a checkpoint, and a checkpoint of another key, do not verify', async () => {
  const { at, run } = await signed()
  const own = await run('log verify --checkpoint old/log/checkpoint')
  expect(own.stderr).toContain('proves nothing against who runs the registry')
  const other = (await run('log key replace')).stdout.trim()
  const refused = await run(`log verify --checkpoint old/log/checkpoint --key ${other}`)
  expect(refused).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('is not signed by a key of the log') as string,
  })
  await run('export --out new --formats changes')
  const note = readFileSync(at('new/log/checkpoint'), 'utf8')
  writeFileSync(at('forged'), note.replace('\n3\n', '\n2\n'))
  expect((await run(`log verify --checkpoint forged --key ${other}`)).stderr).toContain('does not hold')
})
