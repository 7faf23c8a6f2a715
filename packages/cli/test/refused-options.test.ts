import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { answered, folder, openfountain } from '@openfountain/testing/command/shell'

const fountains = 'id,name,latitude,longitude\na1,Market square,55.7029,13.1929\n'
const source = '--source Lund --license CC0-1.0'

async function withFile(): Promise<string> {
  const cwd = await folder()
  await writeFile(path.join(cwd, 'lund.csv'), fountains)
  return cwd
}

describe('a command that refuses an option or an argument', () => {
  test.each([
    ['import lund.csv', 2, '--source is missing'],
    ['import lund.csv --source Lund', 2, '--license is missing'],
    [`import lund.csv ${source} --swap --no-swap`, 2, 'exclude each other'],
    [`import lund.csv ${source} --map nowhere.json`, 2, '--map'],
    [`import lund.csv ${source} --crs EPSG:1`, 6, 'EPSG:1'],
    [`import lund.csv ${source} --encoding morse`, 6, '--encoding'],
    [`import lund.csv ${source} --review nowhere.csv`, 6, 'nowhere.csv'],
    [`import lund.csv ${source} --resume`, 6, 'interrupted import'],
    [`import lund.csv ${source} --report nowhere/report.json`, 2, '--report: folder nowhere not found'],
    [`import lund.csv ${source} --rejected nowhere/no.ndjson`, 2, '--rejected: folder nowhere not found'],
    [`import lund.csv ${source} --doubtful nowhere/no.csv`, 2, '--doubtful: folder nowhere not found'],
    [`import nowhere.csv ${source}`, 6, 'not found'],
    ['mirror nowhere', 2, 'URL must be the http: or https: address'],
    ['mirror ftp://fountains.example', 2, 'URL must be the http: or https: address'],
    ['mirror http://127.0.0.1:9', 7, 'cannot be reached'],
    ['user add --name Ada --xp -1', 2, '--xp'],
    ['user add --name Ada --email nobody', 2, 'email'],
    ['token create --name bot --owner nobody', 2, 'owner'],
  ])('%s creates nothing', async (line, code, message) => {
    const cwd = await withFile()
    const refused = await openfountain(line.split(' '), { cwd })
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code, stdout: '' })
    expect(refused.stderr).toContain(message)
    expect(refused.stderr).not.toContain('Created')
    expect(await readdir(cwd)).toEqual(['lund.csv'])
  })

  test.each([
    ['export --out out --formats nonsense', 2, 'nonsense'],
    ['export --out out --bbox 1,2,3', 2, '--bbox must be four numbers'],
    ['export --out out --bbox 1,9,3,2', 2, 'bbox'],
    ['export --out out --since yesterday', 2, 'since'],
    ['export --out out --permitted Nobody', 2, '--permitted'],
    ['export --out out/of/three --since yesterday', 2, 'since'],
    ['export --out out --dated --since yesterday', 2, 'since'],
    ['export --out out --license CC0-1.0', 5, 'may not be published under CC0-1.0'],
  ])('%s leaves no folder behind', async (line, code, message) => {
    const cwd = await withFile()
    await answered(z.unknown(), ['import', 'lund.csv', '--source', 'Lund', '--license', 'ODbL-1.0'], { cwd })
    const refused = await openfountain(line.split(' '), { cwd })
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code, stdout: '' })
    expect(refused.stderr).toContain(message)
    expect(await readdir(cwd)).not.toContain('out')
  })
})
