import { parentPort, workerData } from 'node:worker_threads'
import { openRegistry, type Rules } from '@openfountain/core'
import type { Publisher } from '../snapshot.ts'
import { writeExport, type ExportContent, type WrittenExport } from '../export.ts'
import type { Daily } from './daily.ts'
import type { EarlierLog } from './log.ts'
import type { Progress } from './publish.ts'

export interface ExportTask {
  readonly database: string
  readonly rules: Rules
  readonly publisher: Publisher
  readonly path: string
  readonly asOf: string
  readonly content: ExportContent
  readonly daily?: Daily | undefined
  readonly log?: EarlierLog | undefined
}

export type ExportMessage = { readonly progress: Progress } | { readonly written: WrittenExport }

const send = (message: ExportMessage): void => parentPort?.postMessage(message, [])

/** Writes an export on a connection of its own, apart from the thread that serves requests. */
const { database, rules, publisher, path, asOf, content, daily, log } = workerData as ExportTask
let written: WrittenExport
const registry = await openRegistry({ database, rules, readOnly: true, create: false })
try {
  const snapshot = await registry.snapshot({ asOf })
  try {
    const onProgress = (progress: Progress) => send({ progress })
    written = await writeExport(snapshot, publisher, path, content, onProgress, daily, log)
  } finally {
    snapshot.close()
  }
} finally {
  await registry.close()
}
// After its connections are closed: the last one to close must be able to write, or it leaves the write-ahead log.
send({ written })
