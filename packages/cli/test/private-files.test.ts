/** @module-tag process */
import { chmod, readdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { answered, folder, serving } from '@openfountain/testing/command/shell'

// Processes take the umask of the one that starts them.
let umask: number
beforeEach(() => {
  umask = process.umask(0)
})
afterEach(() => {
  process.umask(umask)
})

const rows = [
  'id,name,latitude,longitude',
  'a1,Market square,55.7029,13.1929',
  'a2,Market square,55.7033,13.1929',
  'a3,Nowhere,,',
]

test.skipIf(process.platform === 'win32')(
  'what commands write of people and rows belongs to its owner alone under any umask',
  async () => {
    const cwd = await folder()
    await writeFile(path.join(cwd, 'lund.csv'), `${rows.join('\n')}\n`)
    await writeFile(path.join(cwd, 'lund.csv.rejected.ndjson.part'), 'left by an interrupted run')
    const json = z.unknown()
    const from = ['import', 'lund.csv', '--license', 'CC0-1.0', '--report', 'report.json']
    await answered(json, [...from, '--source', 'City of Lund'], { cwd })
    await answered(json, ['backup', 'copy.db'], { cwd })
    await chmod(path.join(cwd, 'copy.db'), 0o644)
    await answered(json, ['restore', 'copy.db', '--db', 'restored.db'], { cwd })
    const instance = await serving([], { cwd })
    await answered(json, ['mirror', instance.url, '--db', 'mirrored.db'], { cwd })
    const modes: Record<string, string> = {}
    for (const name of (await readdir(cwd)).toSorted())
      modes[name] = ((await stat(path.join(cwd, name))).mode & 0o777).toString(8)
    expect(modes).toEqual({
      'copy.db': '644',
      'copy.db.erased': '600',
      'lund.csv': '666',
      'lund.csv.rejected.ndjson': '600',
      'mirrored.db': '600',
      'openfountain.db': '600',
      'openfountain.db-shm': '600',
      'openfountain.db-wal': '600',
      'report.json': '600',
      'restored.db': '600',
    })
  },
)
