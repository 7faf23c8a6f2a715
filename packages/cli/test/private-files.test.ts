/** @module-tag process */
import { chmod, readdir, readFile, stat, symlink } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { workplace } from '@openfountain/testing/command/shell'

const rows = ['a1,Market square,55.7029,13.1929', 'a2,Market square,55.7033,13.1929', 'a3,Nowhere,,']

test.skipIf(process.platform === 'win32')(
  'what commands write of people and rows belongs to its owner alone under any umask',
  async () => {
    // Child processes inherit the umask.
    const umask = process.umask(0)
    onTestFinished(() => void process.umask(umask))
    const { at, cwd, json, serving } = await workplace({
      'lund.csv': `id,name,latitude,longitude\n${rows.join('\n')}\n`,
      'lund.csv.rejected.ndjson.part': 'left by an interrupted run',
    })
    await json('import lund.csv --license CC0-1.0 --report report.json --source Lund')
    await json('backup copy.db')
    await chmod(at('copy.db'), 0o644)
    await json('restore copy.db --db restored.db')
    await json(`mirror ${(await serving()).url} --db mirrored.db`)
    const modes: Record<string, string> = {}
    for (const name of await readdir(cwd)) modes[name] = ((await stat(at(name))).mode & 0o777).toString(8)
    const registry = ['openfountain.db', 'openfountain.db-shm', 'openfountain.db-wal']
    const written = 'copy.db.erased lund.csv.rejected.ndjson mirrored.db report.json restored.db'.split(' ')
    expect(modes).toEqual({
      ...Object.fromEntries([...registry, ...written].map((name) => [name, '600'])),
      'copy.db': '644',
      'lund.csv': '666',
    })
  },
)

test.skipIf(process.platform === 'win32')(
  'a link in the place of refused rows does not choose what an import overwrites',
  async () => {
    const { at, json } = await workplace({
      'lund.csv': `id,name,latitude,longitude\n${rows.join('\n')}\n`,
      victim: 'precious',
    })
    const refused = at('lund.csv.rejected.ndjson')
    for (const link of [refused, `${refused}.part`]) await symlink(at('victim'), link)
    await json('import lund.csv --license CC0-1.0 --source Lund')
    expect(await readFile(at('victim'), 'utf8')).toBe('precious')
    expect(await readFile(refused, 'utf8')).toContain('Nowhere')
  },
)
