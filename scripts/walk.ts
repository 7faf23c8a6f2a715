import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { openRegistry } from '@openfountain/core'
import { importFile } from '@openfountain/exchange'
import { createApp } from '@openfountain/server'
import { newFolder } from '@openfountain/testing/folder'
import { root } from './packages/folders.ts'

/** The source files, from the root, whose named functions an act of a warm process runs. */
export type Walk = readonly string[]

const sources = pathToFileURL(path.join(root, 'packages')).href

async function walkOf(session: Session, act: () => Promise<unknown>): Promise<Walk> {
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await act()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  await session.post('Profiler.stopPreciseCoverage')
  return result
    .filter(({ url, functions }) => {
      const ran = functions.filter(({ functionName, ranges }) => functionName !== '' && ranges[0]?.count)
      return url.startsWith(sources) && url.includes('/src/') && ran.length > 0
    })
    .map(({ url }) => path.relative(root, fileURLToPath(url)))
    .toSorted()
}

/** What a create over HTTP and an import of a file with one row go through. */
export async function walks(): Promise<{ readonly create: Walk; readonly importedRow: Walk }> {
  const folder = newFolder()
  const registry = await openRegistry({ database: path.join(folder, 'registry.db') })
  const session = new Session()
  try {
    const { token } = await registry.tokens.create({ name: 'walk' })
    const app = createApp(registry)
    const create = async (number: number): Promise<void> => {
      const body = JSON.stringify({ name: `Fountain ${number}`, latitude: 47 + number / 100, longitude: 8 })
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
      const response = await app.fetch(
        new Request('http://127.0.0.1/api/waypoints', { method: 'POST', headers, body }),
      )
      if (response.status !== 201) throw new Error(await response.text())
    }
    const importRow = async (number: number): Promise<void> => {
      const file = path.join(folder, `${number}.csv`)
      writeFileSync(file, `ref,name,latitude,longitude\n${number},Fountain ${number},46.${number},8\n`)
      await importFile(registry, { file, source: { name: 'City', license: 'CC0-1.0' }, accept: ['shrink'] })
    }
    for (const number of [1, 2]) {
      await create(number)
      await importRow(number)
    }
    session.connect()
    await session.post('Profiler.enable')
    return {
      create: await walkOf(session, () => create(3)),
      importedRow: await walkOf(session, () => importRow(3)),
    }
  } finally {
    session.disconnect()
    await registry.close()
  }
}

if (import.meta.main) {
  const { create, importedRow } = await walks()
  console.log(`A create goes through ${create.length} files:\n${create.join('\n')}\n`)
  console.log(`An imported row goes through ${importedRow.length} files:\n${importedRow.join('\n')}`)
}
