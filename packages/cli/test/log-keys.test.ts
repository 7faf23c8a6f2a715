import { chmodSync, copyFileSync, readFileSync, statSync } from 'node:fs'
import { token } from '@openfountain/core'
import { verifiedCheckpoint, verifierKey } from '@openfountain/tlog'
import { workplace } from '@openfountain/testing/command/shell'
import { expect, test } from 'vitest'

async function filled() {
  const place = await workplace()
  await place.registry(({ waypoints }) =>
    waypoints.create({ name: 'Market square', latitude: 55.7, longitude: 13.19 }, token()),
  )
  return place
}

test('a key is made for its owner alone, and signs the checkpoint of every export', async () => {
  const { at, run } = await filled()
  const made = await run('log key create --public-url https://fountains.example')
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^fountains\.example\+/u) as string })
  expect(made.stdout + made.stderr).not.toContain('PRIVATE')
  expect(statSync(at('openfountain.log-key')).mode & 0o777).toBe(0o600)
  expect((await run('log key list')).stdout).toBe(made.stdout)
  expect((await run('export --out exports --formats changes')).code).toBe(0)
  const note = readFileSync(at('exports/log/checkpoint'), 'utf8')
  const { size } = await verifiedCheckpoint(note, [await verifierKey(made.stdout)])
  expect(size).toBe(1)
  expect((await run('log key create')).stderr).toContain('has a key: log key rotate adds another')
})

test('while a key follows another both sign, until the earlier one is retired', async () => {
  const { at, run } = await filled()
  const first = (await run('log key create --origin-name fountains.example')).stdout.trim()
  const [one, other] = (await run('log key rotate')).stdout.trim().split('\n')
  expect(one).toBe(first)
  const keys = await Promise.all([first, other ?? ''].map(verifierKey))
  const signers = async () => {
    expect((await run('export --out exports --formats changes')).code).toBe(0)
    return (await verifiedCheckpoint(readFileSync(at('exports/log/checkpoint'), 'utf8'), keys)).signers
  }
  expect(await signers()).toHaveLength(2)
  expect((await run(`log key retire --key-id ${first.split('+')[1]}`)).stdout.trim()).toBe(other)
  expect((await signers()).map(({ key }) => key)).toEqual([keys[1]])
  const only = await run(`log key retire --key-id ${other?.split('+')[1]}`)
  expect(only.stderr).toContain('it is the only key')
})

test('a key that is lost is replaced; the log goes on, and says so by consistent checkpoints of another key', async () => {
  const { at, run } = await filled()
  const lost = (await run('log key create --origin-name fountains.example')).stdout
  await run('export --out exports --formats changes')
  const before = readFileSync(at('exports/log/checkpoint'), 'utf8')
  const found = (await run('log key replace')).stdout
  expect(found).not.toBe(lost)
  expect((await run('export --out exports --formats changes')).code).toBe(0)
  const after = readFileSync(at('exports/log/checkpoint'), 'utf8')
  expect(after.split('\n—')[0]).toBe(before.split('\n—')[0])
  await expect(verifiedCheckpoint(after, [await verifierKey(lost)])).rejects.toThrow('is not signed by a key')
})

test('who has a stolen key signs what the registry does not have: its log has the evidence, and replaces the key', async () => {
  const { at, run, registry } = await filled()
  const key = (await run('log key create --origin-name fountains.example')).stdout.trim()
  await registry(({ waypoints }) => waypoints.update(1, { description: 'New' }, token()))
  const thief = await filled()
  const [, stolen = ''] = readFileSync(at('openfountain.log-key'), 'utf8').trim().split('\n')
  const env = { OPENFOUNTAIN_LOG_KEY: stolen }
  expect((await thief.run('export --out shown --formats changes', { env })).code).toBe(0)
  copyFileSync(thief.at('shown/log/checkpoint'), at('shown'))
  const refused = await run(`log verify --checkpoint shown --key ${key}`)
  expect(refused).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('history was rewritten') as string,
  })
  const [evidence] = /split-\w+\.json/u.exec(refused.stderr) ?? []
  const checked = await run(`log check ${evidence} --key ${key}`)
  expect([checked.code, checked.stdout]).toEqual([
    0,
    'Proven: whoever has the key of fountains.example signed two histories, at 1 and 2 entries\n',
  ])
  const found = (await run('log key replace')).stdout.trim()
  expect((await run(`log verify --checkpoint shown --key ${found}`)).stderr).toContain(
    'is not signed by a key',
  )
})

test('a file that others can read, a half one and one of several logs are refused without what they have', async () => {
  const { at, run } = await filled()
  await run('log key create --origin-name fountains.example')
  const secret = readFileSync(at('openfountain.log-key'), 'utf8')
  chmodSync(at('openfountain.log-key'), 0o644)
  expect((await run('log key list')).stderr).toMatch(/others can read .*: chmod 600 it/u)
  for (const [key, said] of [
    [secret.trim().slice(0, -3), 'is not a private key'],
    [secret.replace('fountains.example', 'other.example'), 'has an id that is not'],
    ['history:1', 'has no key'],
  ] as const) {
    const { code, stderr } = await run('log key list', { env: { OPENFOUNTAIN_LOG_KEY: key } })
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)])
    expect(stderr).not.toContain('PRIVATE+KEY+fountains')
  }
})
