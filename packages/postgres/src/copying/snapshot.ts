import { copyForReading, copyToFile, type SnapshotNeeds, type SnapshotReads } from '@openfountain/core/engine'
import type { Sessions } from '../connection/sessions.ts'
import { PostgresSource } from './source.ts'

/** The current registry as a SQLite registry, without data that exports do not need. */
export async function snapshot(sessions: Sessions, { records }: SnapshotNeeds = {}): Promise<SnapshotReads> {
  const source = await PostgresSource.open(sessions, { isPublic: true, records })
  try {
    return await copyForReading(source, records)
  } finally {
    await source.close()
  }
}

/** Writes the registry as it is now to a new SQLite registry, which appears once `check` accepted it. */
export async function backup(
  sessions: Sessions,
  file: string,
  check: (copy: SnapshotReads) => Promise<void>,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  const source = await PostgresSource.open(sessions)
  try {
    await copyToFile(source, file, check, onProgress)
  } finally {
    await source.close()
  }
}
