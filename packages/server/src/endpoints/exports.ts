import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { type Call, endpoint, type Endpoint, Page } from '../endpoint.ts'
import { ExportFile, ExportsFolder } from '../exports-folder.ts'
import { sendFile } from '../http/file.ts'
import { inert, licenseLink, publicCache } from '../http/headers.ts'
import { notFound } from '../problem.ts'
import type { EndpointContext } from '../options.ts'

const read = { tag: 'Exports', who: 'anyone', freshness: 'never' } as const
const linkedData = 'application/ld+json'

const part = (description: string) => z.string().meta({ description })

const download = {
  ...read,
  description: 'The entity tag is the SHA-256 of the file. Range is supported, so downloads can be resumed.',
  success: {
    description: 'The file',
    media: { 'application/octet-stream': 'The file, with its own media type' },
    ranges: true,
    tagged: true,
  },
  errors: ['NOT_FOUND'],
} as const

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

  /** The descriptions of the export, one a licence where it is split, with links to the files here. */
  async function dataset(call: Call<unknown, unknown>): Promise<Page> {
    const isTurtle = call.media === 'text/turtle'
    const name = isTurtle ? 'dataset.ttl' : 'dataset.jsonld'
    const texts: string[] = []
    for (const { file } of (await folder?.list(new Date())) ?? []) {
      if (file !== name && !file.endsWith(`/${name}`)) continue
      const found = await folder?.find(file)
      if (found === undefined) continue
      const text = await readFile(found.path, 'utf8')
      const base = call.absolute(`${call.basePath}/api/exports/${file.slice(0, -name.length)}`)
      const { '@context': context, ...described } = isTurtle
        ? {}
        : (JSON.parse(text) as Record<string, object>)
      const based = { '@context': { '@base': base, ...context }, ...described }
      texts.push(isTurtle ? `@base <${base}> .\n${text}` : JSON.stringify(based))
    }
    if (texts.length === 0) throw notFound('Export', 'publish or export writes the description')
    const [only = ''] = texts
    const headers = [...inert, publicCache, ['vary', 'Accept, Accept-Encoding'] as const]
    if (isTurtle) return new Page(texts.join('\n'), 'text/turtle; charset=utf-8', headers)
    return new Page(texts.length === 1 ? only : `{"@graph":[${texts.join(',')}]}`, linkedData, headers)
  }

  return [
    endpoint({
      ...read,
      route: 'GET /api/dataset',
      name: 'getDataset',
      summary: 'The export as a dataset for catalogues, after DCAT-AP 3.0.1',
      description: 'JSON-LD, or Turtle by the Accept header, for portals that harvest it.',
      isLicensed: false,
      success: {
        description: 'The dataset, or one for each licence, with a distribution for each file',
        media: { [linkedData]: 'JSON-LD', 'text/turtle': 'Turtle' },
        tagged: true,
      },
      errors: ['NOT_FOUND'],
      run: dataset,
    }),
    endpoint({
      ...read,
      route: 'GET /api/exports',
      name: 'listExports',
      summary: 'The whole registry as files to download',
      success: {
        description: 'The files of the newest export; none when there is none',
        body: z.object({ exports: z.array(ExportFile) }),
      },
      run: async () => ({ exports: folder === undefined ? [] : await folder.list(new Date()) }),
    }),
    endpoint({
      ...download,
      route: 'GET /api/exports/{file}',
      name: 'getExport',
      summary: 'One file of the export',
      path: z.object({ file: part('A name from GET /api/exports') }),
      run: (call) => send(call.path.file, call),
    }),
    endpoint({
      ...download,
      route: 'GET /api/exports/{license}/{file}',
      name: 'getExportOfLicense',
      summary: 'One file of an export that is split by licence',
      path: z.object({ license: part('The folder of a licence'), file: part('The name of a file in it') }),
      run: (call) => send(`${call.path.license}/${call.path.file}`, call),
    }),
  ]
}
