import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

/** The parser is made for bundlers: it imports JSON without saying so. */
const importWithJson = async <T>(load: () => Promise<T>): Promise<T> => {
  const hooks = registerHooks({
    load(url, context, next) {
      if (!url.endsWith('.json')) return next(url, context)
      const source = `export default ${readFileSync(fileURLToPath(url), 'utf8')}`
      return { format: 'module', source, shortCircuit: true }
    },
  })
  try {
    return await load()
  } finally {
    hooks.deregister()
  }
}

/** What the forge's own parser has against a workflow; empty when it takes it. */
export const faultsInWorkflow = async (name: string, content: string): Promise<string[]> => {
  const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = await importWithJson(
    () => import('@actions/workflow-parser'),
  )
  const { context, value } = parseWorkflow({ name, content }, new NoOperationTraceWriter())
  if (value) await convertWorkflowTemplate(context, value)
  return context.errors.getErrors().map(({ message }) => message)
}
