import { z } from 'zod'
import { endpoint, type Endpoint } from '../endpoint.ts'
import { ExportFile, ExportsFolder } from '../exports-folder.ts'
import { sendFile } from '../http/file.ts'
import { licenseLink, noSniffing, publicCache } from '../http/headers.ts'
import { absent } from '../problem.ts'
import type { Foundation } from './all.ts'

const tag = 'Exports'

/** The whole registry as files. */
export function exportEndpoints({ registry, options }: Foundation): readonly Endpoint[] {
  const folder =
    options.exports === undefined ? undefined : new ExportsFolder(options.exports, registry.license)
  return [
    endpoint({
      method: 'GET',
      route: '/api/exports',
      name: 'listExports',
      tag,
      summary: 'The whole registry as files to download',
      who: 'anyone',
      freshness: 'never',
      success: {
        status: 200,
        description: 'The files of the newest export; none when there is none',
        body: z.object({ exports: z.array(ExportFile) }),
      },
      run: async () => ({ exports: folder === undefined ? [] : await folder.list(new Date()) }),
    }),
    endpoint({
      method: 'GET',
      route: '/api/exports/{file}',
      name: 'getExport',
      tag,
      summary: 'One file of the export',
      description: 'The entity tag is the SHA-256 of the file. Range is understood, so downloads can go on.',
      who: 'anyone',
      freshness: 'never',
      path: z.object({ file: z.string().meta({ description: 'A name from GET /api/exports' }) }),
      success: {
        status: 200,
        description: 'The file',
        media: { 'application/octet-stream': 'The file, with its own media type' },
        ranges: true,
        tagged: true,
      },
      errors: ['NOT_FOUND'],
      run: async ({ request, path, files }) => {
        const found = await folder?.find(path.file)
        if (found === undefined) throw absent('such export; GET /api/exports lists those there are')
        const { file } = found
        const link = licenseLink(file.license)
        return sendFile(
          request,
          {
            path: found.path,
            mediaType: file.mediaType,
            tag: file.sha256,
            headers: [
              noSniffing,
              publicCache,
              ['content-disposition', `attachment; filename="${file.file}"`],
              ...(link === undefined ? [] : [link]),
            ],
          },
          files(),
        )
      },
    }),
  ]
}
