/** @module-tag long */
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { packageFolders, root } from '../packages/folders.ts'

// Otherwise the compiler considers a package without its `dist` as built, and the next package lacks its types.
test('what the compiler remembers of building a package is removed with its output', () => {
  for (const folder of packageFolders) {
    const name = folder === 'site' ? 'tsconfig.build.json' : 'tsconfig.json'
    const file = join(root, folder, name)
    const { config } = ts.readConfigFile(file, ts.sys.readFile)
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(file), undefined, file)
    const { outDir = '', tsBuildInfoFile = '' } = options
    expect(relative(root, outDir)).toBe(`${folder}/dist`)
    expect(relative(outDir, tsBuildInfoFile)).toBe('.tsbuildinfo')
  }
})
