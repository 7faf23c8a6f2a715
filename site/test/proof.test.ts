/** @module-tag long */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openRegistry, token, user } from '@openfountain/core'
import { verifyProof } from '@openfountain/core/internal'
import { exportRegistry } from '@openfountain/exchange'
import {
  logSigner,
  newSigningKey,
  signatureLine,
  signed,
  signingKey,
  verifierKey,
  verifierText,
} from '@openfountain/tlog'
import { afterwards } from '@openfountain/testing/afterwards'
import { newPage, says } from '@openfountain/testing/browser/page'
import { textIn, newFolder } from '@openfountain/testing/folder'
import { hostFolder } from '@openfountain/testing/site/static-host'
import { expect, it } from 'vitest'
import { buildSite } from '../src/index.ts'
import { NotProven, provenHistory } from '../src/proof/prove.ts'

let now = Date.parse('2026-01-05T08:00:00Z')

const at = (name: string): string => join(folder, name)
const published = async (name: string): Promise<string> => {
  await exportRegistry(registry, { out: at('export') })
  await buildSite({ data: at('export'), out: at(name) })
  return at(name)
}
const proven = (site: string, id: number) => provenHistory(id, (file) => readFile(join(site, 'data', file)))

const folder = newFolder()
const signer = await logSigner(await newSigningKey('fountains.example'))
const registry = await openRegistry({
  database: ':memory:',
  clock: () => new Date((now += 60_000)),
  signer: async () => signer,
})
const { reviews, users, waypoints } = registry
const ada = user((await users.create({ name: 'Ada', xp: 200 })).id)
await waypoints.create({ name: 'Market', latitude: 55.7, longitude: 13.19 }, token())
await waypoints.create({ name: 'Mill', latitude: 55.8, longitude: 13.19 }, token())
await reviews.create({ bubblerId: 2, rating: 4, comment: 'Grete Geheim' }, ada)
await waypoints.merge(2, { into: 1, reason: 'The same' }, token())
for (let n = 0; n < 300; n++) await waypoints.update(1, { description: `Text ${n}` }, token())
await published('site')

it('the history of a fountain is proven from the files of its site, and its proof.json without them', async () => {
  const { entries, file, origin, signers, size } = await proven(at('site'), 1)
  expect({ origin, size, entries }).toEqual({
    origin: 'fountains.example',
    size: (await registry.head()).id,
    entries: 303,
  })
  expect(signers?.map(({ key }) => key)).toEqual(signer.keys)
  const keys = await Promise.all(textIn(at('site'), 'data/log/keys').trim().split('\n').map(verifierKey))
  const own = await registry.changes.proveWaypoint(1)
  expect((await verifyProof(JSON.parse(file), keys)).entries.map(({ id }) => id)).toEqual(
    own.entries.map(({ id }) => id),
  )
  const page = textIn(at('site'), 'waypoint/1/index.html')
  expect(page).toMatch(/<a[^>]* href="\/data\/#log"[^>]*>Prove this history<\/a>/u)
  const [key = ''] = (await registry.changes.keys()) ?? []
  expect(textIn(at('site'), 'data/index.html')).toContain(key)
})

it('who cosigned the log is said on the data page, with the day, and the proof has the cosignature', async () => {
  const witness = await signingKey(await newSigningKey('witness.example', 'cosignature'))
  cpSync(at('export'), at('seen'), { recursive: true })
  const note = textIn(at('seen'), 'log/checkpoint')
  const text = `${note.split('\n\n')[0]}\n`
  const line = signatureLine(await signed(text, witness, Date.parse('2026-03-02T10:00:00Z') / 1000))
  writeFileSync(at('seen/log/checkpoint'), note + line)
  writeFileSync(at('seen/log/witnesses'), `${verifierText(witness.verifier)}\n`)
  await buildSite({ data: at('seen'), out: at('seen-site') })
  expect(textIn(at('seen-site'), 'data/index.html')).toContain(
    'Seen by witness.example, a witness, who cosigned it on March 2, 2026.',
  )
  const { signers, file } = await proven(at('seen-site'), 1)
  expect(signers?.map(({ key, time }) => [key.name, time])).toEqual([
    ['fountains.example', undefined],
    ['witness.example', 1_772_445_600],
  ])
  expect(file).toContain('— witness.example ')
  writeFileSync(at('seen/log/checkpoint'), note + line.replace('witness.example ', 'witness.example A'))
  await expect(buildSite({ data: at('seen'), out: at('never') })).rejects.toThrow('log/checkpoint')
})

it('a page proves its history in the browser, in each language; its proof.json holds elsewhere', async () => {
  const host = await hostFolder(at('site'))
  afterwards(() => host.close())
  const page = await newPage()
  await page.goto(`${host.url}waypoint/1/`)
  await page.click('[data-prove]')
  const result = page.locator('.proof [role]')
  const key = signer.keys[0]?.id ?? ''
  const said = { en: 'Proven', de: 'Bewiesen', fr: 'Prouvé', it: 'Dimostrato', es: 'Demostrado' }
  for (const [tag, word] of Object.entries(said)) {
    if (tag !== 'en') await page.click('.menu-language summary')
    if (tag !== 'en') await page.click(`[data-language="${tag}"]`)
    await says(result, new RegExp(`^${word}.*: 303 .*${key}`, 'su'))
  }
  const [saved] = await Promise.all([page.waitForEvent('download'), result.getByRole('button').click()])
  const proof: unknown = JSON.parse(await readFile(await saved.path(), 'utf8'))
  expect((await verifyProof(proof, signer.keys)).entries).toHaveLength(303)
})

it('what was changed in the history, in a tile or in the signature is not proven', async () => {
  const changed = async (file: string, change: (text: string) => string) => {
    const site = at('changed')
    cpSync(at('site'), site, { recursive: true })
    const path = join(site, 'data', file)
    writeFileSync(path, change(readFileSync(path, 'latin1')), 'latin1')
    return proven(site, 1).catch((error: unknown) => error)
  }
  const forged = await changed('log/history/0.json', (text) => text.replace('"Text 7"', '"Text 8"'))
  expect(forged).toEqual(new NotProven(15))
  expect(await changed('log/tile/0/000', (text) => `a${text.slice(1)}`)).toBeInstanceOf(NotProven)
  expect(await changed('log/tile/0/000', (text) => text.slice(0, 40))).toBeInstanceOf(Error)
  const unsigned = await changed('log/checkpoint', (text) => text.replace(/\n\d+\n/u, '\n2\n'))
  expect(unsigned).toEqual(new NotProven())
})

it('a text that was redacted is in no file of the next site, and the proof has the redaction', async () => {
  const before = textIn(at('site'), 'data/log/history/0.json')
  expect(before).toContain('Grete Geheim')
  const review = (await registry.changes.entries(0)).find(({ subject }) => subject === 'review')
  await registry.changes.redact(review?.id ?? 0, { reason: 'A private name' })
  const site = await published('site')
  expect(textIn(site, 'data/log/history/0.json')).not.toContain('Grete Geheim')
  expect((await proven(site, 1)).entries).toBe(305)
})

it('a site of an export whose log is older than its data, or without one, has no proofs', async () => {
  await registry.waypoints.update(1, { description: 'Last' }, token())
  const log = at('log')
  cpSync(at('export/log'), log, { recursive: true })
  await exportRegistry(registry, { out: at('export') })
  cpSync(log, at('export/log'), { recursive: true })
  await buildSite({ data: at('export'), out: at('older') })
  expect(textIn(at('older'), 'waypoint/1/index.html')).not.toContain('data-prove')
  await expect(proven(at('older'), 1)).rejects.toThrow('ENOENT')
})
