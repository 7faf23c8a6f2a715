/** @module-tag process */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { token } from '@openfountain/core'
import path from 'node:path'
import {
  checkpointText,
  emptyRoot,
  newSigningKey,
  noteText,
  signed,
  signingKey,
  verifiedCheckpoint,
  verifierKey,
  verifierText,
} from '@openfountain/tlog'
import { afterwards } from '@openfountain/testing/afterwards'
import { folder, openfountain as run, started, workplace } from '@openfountain/testing/command/shell'
import { expect, test } from 'vitest'

async function watching(
  place: string,
  vkey: string,
): Promise<{ readonly url: string; readonly key: string }> {
  const words = ['witness', '--folder', place, '--log', vkey, '--name', 'w.example', '--port', '0', '--json']
  const { child, end } = started(words)
  afterwards(async () => {
    child.kill()
    await end
  })
  const line = await new Promise<string>((resolve) =>
    child.stdout.once('data', (part) => resolve(String(part))),
  )
  return JSON.parse(line) as { url: string; key: string }
}

test('a witness cosigns what continues, and keeps the evidence of a log with two histories', async () => {
  const place = path.join(await folder(), 'witness')
  const log = await signingKey(await newSigningKey('log.example'))
  const vkey = verifierText(log.verifier)
  expect((await run(['witness', '--folder', place, '--log', vkey])).stderr).toContain('--name is needed')
  const { url, key } = await watching(place, vkey)
  expect(statSync(path.join(place, 'witness-key')).mode & 0o777).toBe(0o600)
  const note = async (root: string, size = 0) => {
    const text = checkpointText({ origin: 'log.example', size, root })
    return noteText({ text, signatures: [await signed(text, log)] })
  }
  const add = async (body: string) => fetch(`${url}/add-checkpoint`, { method: 'POST', body })
  const first = await note('ab'.repeat(32), 1)
  const answer = await add(`old 0\n\n${first}`)
  expect(answer.status).toBe(200)
  const keys = await Promise.all([vkey, key].map(verifierKey))
  const { cosigners } = await verifiedCheckpoint(first + (await answer.text()), keys)
  expect(cosigners).toHaveLength(1)
  expect((await add(`old 1\n\n${await note('cd'.repeat(32), 1)}`)).status).toBe(422)
  const hash = readdirSync(place).find((name) => name.length === 64) ?? ''
  const split = readdirSync(path.join(place, hash)).find((name) => name.startsWith('split-')) ?? ''
  const check = await run(['log', 'check', path.join(place, hash, split), '--key', vkey])
  expect(check).toMatchObject({
    code: 0,
    stdout: 'Proven: whoever has the key of log.example signed two histories, at 1 and 1 entries\n',
  })
  const other = verifierText((await signingKey(await newSigningKey('log.example'))).verifier)
  expect((await run(['log', 'check', path.join(place, hash, split), '--key', other])).code).toBe(4)
  expect(await (await fetch(`${url}/${hash}/checkpoint`)).text()).toContain('w.example')
  expect((await fetch(`${url}/${'0'.repeat(64)}/checkpoint`)).status).toBe(404)
  expect((await add(`old 0\n\n${await note(emptyRoot)}${'x'.repeat(70_000)}`)).status).toBe(413)
})

test('exports have the cosignatures of witnesses, and go on without one that does not answer', async () => {
  const { at, registry, run: command } = await workplace()
  const add = (name: string) =>
    registry(({ waypoints }) => waypoints.create({ name, latitude: 55.7, longitude: 13.19 }, token()))
  await add('One')
  const vkey = (await command('log key create --origin-name log.example')).stdout.trim()
  const { url, key } = await watching(at('witness'), vkey)
  const keys = await Promise.all([vkey, key].map(verifierKey))
  for (const size of [1, 2]) {
    const exported = await command(`export --out out --formats changes --witness '${url} ${key}'`)
    expect(exported.code).toBe(0)
    const note = await verifiedCheckpoint(readFileSync(at('out/log/checkpoint'), 'utf8'), keys)
    expect([note.size, note.cosigners.map((each) => each.key)]).toEqual([size, [keys[1]]])
    expect(readFileSync(at('out/log/witnesses'), 'utf8')).toBe(`${key}\n`)
    await add('Two')
  }
  const silent = `export --out alone --formats changes --witness 'http://127.0.0.1:9 ${key}'`
  const said = expect.stringContaining('Not cosigned by http://127.0.0.1:9') as string
  expect(await command(silent)).toMatchObject({ code: 0, stdout: said })
  const wrong = await command(`export --out x --witness ${url}`)
  expect(wrong.stderr).toContain('--witness must be the address of a witness and its verifier key')
})
