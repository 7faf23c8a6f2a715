import { z } from 'zod'
import { type Call, endpoint, type Endpoint } from '../endpoint.ts'
import { ExportFile, ExportsFolder } from '../exports-folder.ts'
import { sendFile } from '../http/file.ts'
import { inert, licenseLink, publicCache } from '../http/headers.ts'
import { notFound } from '../problem.ts'
import type { EndpointContext } from './context.ts'

const tag = 'Exports'

const part = (description: string) => z.string().meta({ description })

/** Declaration shared by the downloads. */
const download = {
  method: 'GET',
  tag,
  description: 'The entity tag is the SHA-256 of the file. Range is supported, so downloads can be resumed.',
  who: 'anyone',
  freshness: 'never',
  success: {
    status: 200,
    description: 'The file',
    media: { 'application/octet-stream': 'The file, with its own media type' },
    ranges: true,
    tagged: true,
  },
  errors: ['NOT_FOUND'],
} as const

/** The whole registry as files. */
export function exportEndpoints({ registry, options }: EndpointContext): readonly Endpoint[] {
  const folder =
    options.exports === undefined ? undefined : new ExportsFolder(options.exports, registry.license)
  const send = async (
    name: string,
    call: Pick<Call<unknown, unknown>, 'request' | 'files'>,
  ): Promise<Response> => {
    const found = await folder?.find(name)
    if (found === undefined) throw notFound('Export', 'GET /api/exports lists all exports')
    const { sha256, mediaType, license } = found.file
    const link = licenseLink(license)
    return sendFile(
      call.request,
      {
        path: found.path,
        mediaType,
        tag: sha256,
        headers: [
          ...inert,
          publicCache,
          ['content-disposition', `attachment; filename="${name.slice(name.lastIndexOf('/') + 1)}"`],
          ...(link === undefined ? [] : [link]),
        ],
      },
      call.files(),
    )
  }
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
      ...download,
      route: '/api/exports/{file}',
      name: 'getExport',
      summary: 'One file of the export',
      path: z.object({ file: part('A name from GET /api/exports') }),
      run: (call) => send(call.path.file, call),
    }),
    endpoint({
      ...download,
      route: '/api/exports/{license}/{file}',
      name: 'getExportOfLicense',
      summary: 'One file of an export that is split by licence',
      path: z.object({ license: part('The folder of a licence'), file: part('The name of a file in it') }),
      run: (call) => send(`${call.path.license}/${call.path.file}`, call),
    }),
  ]
}
