import { fountains } from '../../../lib/registry'

async function handler(request: Request): Promise<Response> {
  const { app } = await fountains()
  return app.fetch(request)
}

export {
  handler as GET,
  handler as HEAD,
  handler as POST,
  handler as PATCH,
  handler as DELETE,
  handler as OPTIONS,
}
