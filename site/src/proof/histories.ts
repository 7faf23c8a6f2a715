import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { GivenEntry } from '@openfountain/core/internal'
import { z } from 'zod'
import { nameIn, type ExportFolder } from '../data/folder.ts'
import type { RegistryData } from '../data/registry.ts'
import { readLines } from '../data/stream.ts'
import { historyFile } from './prove.ts'

/** Writes the entries about each fountain with a page, its parts' and redactions included, by which browsers prove them. */
export async function writeHistories(
  { directory, registryFolder, signed }: ExportFolder,
  { activity, hasPage }: Pick<RegistryData, 'activity' | 'hasPage'>,
  outDir: string,
): Promise<void> {
  if (signed === undefined) return
  const files = new Map<string, Record<string, GivenEntry[]>>()
  const ofPart = new Map<string, number>()
  const ofEntry = new Map<number, number>()
  const waypointOf = (entry: GivenEntry): number | undefined => {
    const { subject, subjectId, fields } = entry
    if (subject === 'waypoint') return Number(subjectId)
    if (subject === 'entry') return ofEntry.get(Number(subjectId))
    const part = `${subject} ${subjectId}`
    const id = ofPart.get(part) ?? activity.movedTo(part) ?? fields['waypoint']
    if (typeof id !== 'number') return undefined
    if (hasPage(id)) ofPart.set(part, id)
    return id
  }
  for await (const entry of readLines(
    join(directory, nameIn(registryFolder, 'changes.ndjson.gz')),
    z.custom<GivenEntry>(),
  )) {
    const id = waypointOf(entry)
    if (id === undefined || !hasPage(id)) continue
    ofEntry.set(entry.id, id)
    const file = historyFile(id)
    const histories = files.get(file) ?? {}
    files.set(file, histories)
    ;(histories[id] ??= []).push(entry)
  }
  for (const [file, histories] of files) {
    const path = join(outDir, 'data', file)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, JSON.stringify(histories))
  }
}
