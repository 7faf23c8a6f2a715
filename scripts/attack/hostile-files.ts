import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import {
  endlessParquet,
  geoPackage,
  goodFiles,
  leavingRejections,
  mutated,
} from '@openfountain/testing/import/damaged-files'
import { outcome, type Attack, type Outcome } from './attempt.ts'
import type { EmbedderEnd, Read } from './embedder.ts'
import { endOf, startNode } from './program.ts'

/** Memory limit of an importing program; readers of binary formats have limits of their own. */
const memoryAllowed = 1024 ** 3

/**
 * Lets a program import files. It held when it runs to its end, gives reasons for refusals, and stays below the memory
 * limit.
 */
async function imported(
  did: string,
  folder: string,
  files: ReadonlyMap<string, Uint8Array | string>,
  mustBeRefused: boolean,
): Promise<Outcome> {
  const paths: string[] = []
  for (const [name, content] of files) {
    const file = path.join(folder, name)
    await writeFile(file, content)
    paths.push(file)
  }
  const { code, stdout, stderr } = await endOf(
    startNode([path.join(import.meta.dirname, 'embedder.ts'), ...paths], folder),
  )
  const lines = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Read | EmbedderEnd)
  const read = lines.filter((line) => 'code' in line)
  const end = lines.find((line) => 'memory' in line)
  const wrong = read.filter((file) => file.code === 'unexpected' || (mustBeRefused && file.code === 'read'))
  if (code !== 0 || end === undefined) {
    const next = paths[read.length] ?? 'its end'
    return outcome(
      did,
      `the program died at ${path.basename(next)}: ${stderr.trim().split('\n').at(-1)}`,
      false,
    )
  }
  const codes = [...new Set(read.map((file) => file.code))].toSorted().join(', ')
  const named = wrong.map(({ file, code: what }) => `${path.basename(file)}: ${what}`).join('; ')
  return outcome(
    did,
    wrong.length > 0
      ? named
      : `${read.length} files: ${codes}; the program had ${Math.round(end.memory / 1e6)} MB`,
    wrong.length === 0 && read.length === paths.length && end.memory < memoryAllowed,
  )
}

const binary = new Set(['geopackage', 'parquet'])

/** Damaged files of each format. */
function damaged(formats: readonly string[], seed: number, count: number): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>()
  for (const format of formats) {
    const good = goodFiles[format]?.() ?? new Uint8Array()
    for (let number = 0; number < count; number++)
      files.set(`${format}-${seed + number}`, mutated(good, seed + number))
  }
  return files
}

const damagedBinary: Attack = {
  name: 'damaged-binary',
  kind: 'hostile files',
  wants: 'that the program which imports a Parquet file or a GeoPackage ends',
  async run({ folder, seed, full }) {
    const files = damaged([...binary], seed, full ? 250 : 6)
    for (const [number, known] of leavingRejections().entries()) files.set(`known-${number}`, known)
    return imported(`let a program import ${files.size} damaged files (seed ${seed})`, folder, files, false)
  },
}

const damagedTexts: Attack = {
  name: 'damaged-texts',
  kind: 'hostile files',
  wants: 'that the program which imports CSV, JSON or XML ends',
  async run({ folder, seed, full }) {
    const formats = Object.keys(goodFiles).filter((format) => !binary.has(format))
    const files = damaged(formats, seed, full ? 1000 : 40)
    return imported(`let a program import ${files.size} damaged files (seed ${seed})`, folder, files, false)
  },
}

const laughs = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol">${Array.from(
  { length: 9 },
  (_, index) => `<!ENTITY lol${index + 1} "${`&lol${index === 0 ? '' : index};`.repeat(10)}">`,
).join('')}]><gpx><wpt lat="47" lon="8"><name>&lol9;</name></wpt></gpx>`

/** A GeoPackage of 20 kB whose rows have megabytes in each of its generated columns. */
const generated = (columns: number): Uint8Array =>
  geoPackage(
    `id integer primary key, geom blob, name text, ${Array.from(
      { length: columns },
      (_, at) => `c${at} text as (printf('%.*c', 90000000 + id, 'x'))`,
    ).join()}`,
    [`'A'`],
  )

const bombs: Attack = {
  name: 'bombs',
  kind: 'hostile files',
  wants: 'all memory of the machine, by a small file',
  async run({ folder, full }) {
    const files = new Map<string, Uint8Array | string>([
      ['generated.gpkg', generated(full ? 40 : 4)],
      [
        'rows.csv.gz',
        gzipSync(Buffer.concat([Buffer.from('name,lat,lon\n'), Buffer.alloc(90_000_000, 'A,47,8\n')])),
      ],
      ['entities.gpx', laughs],
      ['deep.json', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
      ['columns.csv', `a${',a'.repeat(5_000_000)}\n1,2\n`],
      ['cell.csv', `name,lat,lon\nA,47,8\n"${'x'.repeat(8_000_000)}",47,8\n`],
    ])
    return imported(`let a program import ${files.size} small files that become large`, folder, files, true)
  },
}

const endless: Attack = {
  name: 'endless-file',
  kind: 'hostile files',
  wants: 'that an import never ends',
  waits: true,
  fullOnly: true,
  async run({ folder }) {
    const files = new Map([['endless.parquet', endlessParquet()]])
    return imported('let a program import a Parquet file with which the parser loops', folder, files, true)
  },
}

export const hostileFiles: readonly Attack[] = [damagedBinary, damagedTexts, bombs, endless]
