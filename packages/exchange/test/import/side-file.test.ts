import { lstat, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { SideFile } from '../../src/import/report/side-file.ts'
import { temporaryFolder } from './fixture.ts'

test.skipIf(process.platform === 'win32')(
  'links in the places of a side file do not choose what is overwritten',
  async () => {
    const folder = await temporaryFolder()
    const [file, victim] = [path.join(folder, 'rows.rejected.ndjson'), path.join(folder, 'victim')]
    await writeFile(victim, 'precious')
    await symlink(victim, file)
    await symlink(victim, `${file}.part`)
    const side = new SideFile(file)
    await side.write('{}\n')
    expect(await side.finish()).toBe(file)
    expect(await readFile(victim, 'utf8')).toBe('precious')
    expect((await lstat(file)).isSymbolicLink()).toBe(false)
    expect(await readFile(file, 'utf8')).toBe('{}\n')
  },
)

test('a file that cannot be made is a failure of the import, not of the process', async () => {
  const side = new SideFile(path.join(await temporaryFolder(), 'missing', 'rows.rejected.ndjson'))
  await side.write('{}\n')
  await expect(side.finish()).rejects.toMatchObject({ code: 'ENOENT' })
})
