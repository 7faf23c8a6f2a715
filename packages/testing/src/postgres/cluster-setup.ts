import type { TestProject } from 'vitest/node'
import { Cluster } from './cluster.ts'

/** Starts a cluster for all test files of a project; each test has a database of its own there. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await Cluster.start()
  project.provide('postgres', { port: cluster.port, folder: cluster.folder })
  return () => cluster.stop()
}
