/** @module-tag process */
import { readdirSync, readFileSync, statSync } from 'node:fs'
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
import { folder, openfountain as run, started } from '@openfountain/testing/command/shell'
import { expect, test } from 'vitest'

test('a witness cosigns what continues, and keeps the evidence of a log with two histories', async () => {
  const place = path.join(await folder(), 'witness')
  const log = await signingKey(await newSigningKey('log.example'))
  const vkey = verifierText(log.verifier)
  expect((await run(['witness', '--folder', place, '--log', vkey])).stderr).toContain('--name is needed')
  const words = ['witness', '--folder', place, '--log', vkey, '--name', 'w.example', '--port', '0', '--json']
  const { child, end } = started(words)
  afterwards(async () => {
    child.kill()
    await end
  })
  const line = await new Promise<string>((resolve) =>
    child.stdout.once('data', (part) => resolve(String(part))),
  )
  const { url, key } = JSON.parse(line) as { url: string; key: string }
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
  expect(readFileSync(path.join(place, hash, split), 'utf8').match(/^log\.example$/gmu)).toHaveLength(2)
  expect(await (await fetch(`${url}/${hash}/checkpoint`)).text()).toContain('w.example')
  expect((await fetch(`${url}/${'0'.repeat(64)}/checkpoint`)).status).toBe(404)
  expect((await add(`old 0\n\n${await note(emptyRoot)}${'x'.repeat(70_000)}`)).status).toBe(413)
})
