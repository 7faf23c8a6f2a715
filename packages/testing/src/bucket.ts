import S3rver from 's3rver'
import { newFolder } from './folder.ts'

export const keys = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' }

export async function bucketServer() {
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: newFolder(),
    configureBuckets: [{ name: 'files' }],
  })
  const { address, port } = await server.run()
  return { endpoint: `http://${address}:${port}`, close: () => server.close() }
}
