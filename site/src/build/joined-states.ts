import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { nameIn, type ExportFolder } from '../data/folder.ts'

const file = 'status.json'

const States = z.object({
  license: z.string(),
  attribution: z.string(),
  asOf: z.string(),
  ttl: z.number(),
  states: z.record(z.string(), z.unknown()),
})

export const partsWithStates = ({ parts, files }: Pick<ExportFolder, 'parts' | 'files'>): string[] =>
  parts.flatMap(({ folder }) => {
    const name = nameIn(folder, file)
    return folder !== '' && files.some((one) => one.name === name) ? [name] : []
  })

export async function writeJoinedStates(from: ExportFolder, data: string): Promise<void> {
  const found: z.infer<typeof States>[] = []
  for (const name of partsWithStates(from))
    found.push(States.parse(JSON.parse(await readFile(join(from.directory, name), 'utf8'))))
  const [first] = found
  if (first === undefined) return
  const lines = found
    .flatMap(({ states }) => Object.entries(states))
    .toSorted(([one], [other]) => Number(one) - Number(other))
    .map(([id, state]) => `${JSON.stringify(id)}:${JSON.stringify(state)}`)
  const { asOf, ttl } = first
  const license = [...new Set(found.map((one) => one.license))].join(' AND ')
  const attribution = [...new Set(found.flatMap((one) => one.attribution.split('; ')))].join('; ')
  const states = lines.length === 0 ? '{\n}' : `{\n${lines.join(',\n')}\n}`
  await writeFile(
    join(data, file),
    `${JSON.stringify({ license, attribution, asOf, ttl }).slice(0, -1)},"states":${states}}\n`,
  )
}
