import path from 'node:path'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { newFolder } from '@openfountain/testing/folder'
import { listening } from '@openfountain/testing/listening'
import { PMTiles, type RangeResponse } from 'pmtiles'
import { expect, test } from 'vitest'
import { StreetExtract, type ExtractOptions, basemapRefusals } from '../../src/basemap/extract.ts'

const monaco = path.resolve(import.meta.dirname, '../../../../data/monaco.pmtiles')
const casino = { latitude: 43.7392, longitude: 7.4278 }

const opened = async (file: string): Promise<PMTiles> => {
  const bytes = await readFile(file)
  return new PMTiles({
    getKey: () => file,
    getBytes: (offset, length): Promise<RangeResponse> =>
      Promise.resolve({ data: new Uint8Array(bytes.subarray(offset, offset + length)).buffer }),
  })
}

const tileAt = async (archive: PMTiles, z: number, x: number, y: number) =>
  (await archive.getZxy(z, x, y))?.data.byteLength

/** Sends ranges of the archive; `answer` may answer a request otherwise. */
async function host(
  answer: (request: IncomingMessage, response: ServerResponse, asked: number) => boolean = () => false,
) {
  const bytes = await readFile(monaco)
  const asked: string[] = []
  const server = createServer((request, response) => {
    const range = request.headers.range ?? ''
    asked.push(range)
    if (answer(request, response, asked.length)) return
    const [, from, to] = /^bytes=(\d+)-(\d+)$/u.exec(range) ?? []
    const part = bytes.subarray(Number(from), Number(to) + 1)
    response.writeHead(206, {
      etag: '"one"',
      'content-range': `bytes ${from}-${Number(from) + part.length - 1}/${bytes.length}`,
    })
    response.end(part)
  })
  const port = await listening(server)
  return { url: `http://127.0.0.1:${port}/monaco.pmtiles`, asked }
}

const options: ExtractOptions = { places: [casino], marginMetres: 300, allowPrivate: true }

test('the streets around places are taken: fewer tiles, each as in the archive, with its credit', async () => {
  const out = path.join(newFolder(), 'streets.pmtiles')
  await using extract = await StreetExtract.open(monaco, options)
  const { plan } = extract
  expect(plan).toMatchObject({
    minZoom: 0,
    maxZoom: 15,
    attribution: expect.stringContaining('OpenStreetMap') as string,
  })
  const seen: number[] = []
  await extract.write(out, ({ bytes, of }) => seen.push(bytes / of))
  expect(seen.at(-1)).toBe(1)
  const [whole, part] = [await opened(monaco), await opened(out)]
  const header = await part.getHeader()
  expect(header.numAddressedTiles).toBe(plan.tiles)
  expect(plan.tiles).toBeLessThan((await whole.getHeader()).numAddressedTiles)
  expect((await stat(out)).size).toBeLessThan((await stat(monaco)).size)
  for (const [z, x, y] of [
    [0, 0, 0],
    [10, 533, 373],
    [15, 17060, 11951],
  ] as const)
    expect(await tileAt(part, z, x, y)).toBe(await tileAt(whole, z, x, y))
  expect(await part.getMetadata()).toEqual(await whole.getMetadata())
  expect(existsSync(`${out}.part`)).toBe(false)
})

test('over ranges of a host it is the same file, and an interrupted call goes on where it was', async () => {
  const folder = newFolder()
  const [local, remote] = ['local', 'remote'].map((name) => path.join(folder, name))
  await using file = await StreetExtract.open(monaco, options)
  await file.write(local ?? '')
  let left = 2
  const at = await host((request, response) => {
    const isTiles = Number(/\d+/u.exec(request.headers.range ?? '')?.[0]) > 20_000
    if (!isTiles || left-- > 0) return false
    response.destroy()
    return true
  })
  const places = [casino, { latitude: 43.7507, longitude: 7.4405 }]
  await using broken = await StreetExtract.open(at.url, { ...options, places, rangeBytes: 100_000 })
  await expect(broken.write(remote ?? '')).rejects.toMatchObject({ refusal: { code: 'UNREACHABLE' } })
  left = Number.POSITIVE_INFINITY
  const before = at.asked.length
  await broken.write(remote ?? '')
  const again = at.asked.length - before
  await using whole = await StreetExtract.open(at.url, { ...options, places, rangeBytes: 100_000 })
  const start = at.asked.length
  await whole.write(`${remote}2`)
  expect(again).toBeLessThan(at.asked.length - start)
  const digest = async (name = '') =>
    createHash('sha256')
      .update(await readFile(name))
      .digest('hex')
  expect(await digest(remote)).toBe(await digest(`${remote}2`))
  await using same = await StreetExtract.open(at.url, options)
  await same.write(`${remote}3`)
  expect(await digest(`${remote}3`)).toBe(await digest(local))
})

test.each<
  [
    code: keyof typeof basemapRefusals,
    file: (folder: string) => Promise<string>,
    more?: Partial<ExtractOptions>,
  ]
>([
  ['MISSING', (folder) => Promise.resolve(path.join(folder, 'none.pmtiles'))],
  [
    'NOT_PMTILES',
    async (folder) => {
      const file = path.join(folder, 'page.html')
      await writeFile(file, '<html>'.repeat(1000))
      return file
    },
  ],
  ['ELSEWHERE', () => Promise.resolve(monaco), { places: [{ latitude: -33, longitude: 151 }] }],
  ['NO_PLACES', () => Promise.resolve(monaco), { places: [] }],
])('%s is refused in words that say what helps', async (code, file, more = {}) => {
  const source = await file(newFolder())
  await expect(StreetExtract.open(source, { ...options, ...more })).rejects.toMatchObject({
    code,
    message: `${source}: ${basemapRefusals[code]}`,
  })
})

test('a file that is cut off leaves the earlier streets as they were', async () => {
  const folder = newFolder()
  const [cut, out] = [path.join(folder, 'cut.pmtiles'), path.join(folder, 'streets.pmtiles')]
  await using whole = await StreetExtract.open(monaco, { ...options, marginMetres: 5000 })
  await whole.write(cut)
  await truncate(cut, 400_000)
  await writeFile(out, 'earlier')
  await using extract = await StreetExtract.open(cut, { ...options, marginMetres: 5000 })
  await expect(extract.write(out)).rejects.toMatchObject({ code: 'CUT_OFF' })
  expect(await readFile(out, 'utf8')).toBe('earlier')
})

test('a host without ranges, one whose file changes, and one that sends an error are refused by name', async () => {
  const whole = await host((_request, response) => {
    response.end('all of it')
    return true
  })
  await expect(StreetExtract.open(whole.url, options)).rejects.toMatchObject({
    refusal: { code: 'NO_RANGES' },
  })
  const error = await host((_request, response) => {
    response.writeHead(404).end()
    return true
  })
  await expect(StreetExtract.open(error.url, options)).rejects.toMatchObject({
    refusal: { code: 'STATUS', status: 404 },
  })
  const changing = await host((_request, response, asked) => {
    if (asked === 1) return false
    response.writeHead(206, { etag: '"two"' }).end('x')
    return true
  })
  await expect(StreetExtract.open(changing.url, options)).rejects.toMatchObject({
    refusal: { code: 'CHANGED' },
  })
})
