import { rmSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { openRegistry } from '@openfountain/core'
import { editionOf, formats } from '@openfountain/exchange'
import { milliseconds } from '../measurement.ts'

/** The job: a file to write, and its registry. */
export interface ExportOrder {
  readonly database: string
  readonly format: string
  readonly file: string
}

/** Writes one file of an export, and posts the milliseconds. */
parentPort?.on('message', async ({ database, format, file }: ExportOrder) => {
  const registry = await openRegistry({ database, readOnly: true })
  const snapshot = await registry.snapshot()
  const { name, author, license } = registry
  const edition = editionOf({ snapshot, publisher: { name, author, license } })
  const writer = formats.find((known) => known.name === format)
  if (!writer) throw new Error(`format not found: ${format}`)
  rmSync(file, { force: true })
  parentPort?.postMessage(await milliseconds(() => writer.write(file, edition, { rows: 0 })), [])
  snapshot.close()
  await registry.close()
})
