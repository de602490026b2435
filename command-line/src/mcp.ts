import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type IntegrityClient, IntegrityError } from '@integrity/client'
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import * as z from 'zod'
import { type Tool, toolsOf } from './mcp-tools.ts'
import { clientOf, type Terminal } from './terminal.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

/** Before everything that a tool answers. */
const note =
  'These are observations, and for how long nothing could be observed. They are no conclusion about a person; a person decides.'

const text = (content: string) => ({ type: 'text' as const, text: content })

const answer = async (client: IntegrityClient, tool: Tool, input: Record<string, unknown>) => {
  try {
    return { content: [text(note), text(JSON.stringify(await tool.read(client, input)))] }
  } catch (error) {
    if (!(error instanceof IntegrityError)) throw error
    return { isError: true, content: [text(`${error.code}: ${error.message}`)] }
  }
}

/** The server with its tools; it only reads. */
const mcpServer = (client: IntegrityClient, options: { readonly transcripts: boolean }): McpServer => {
  const server = new McpServer({ name: 'interview-integrity', version }, { instructions: note })
  for (const tool of toolsOf(options))
    server.registerTool(
      tool.name,
      {
        description: tool.summary,
        inputSchema: z.object(tool.takes),
        annotations: { readOnlyHint: true, openWorldHint: false },
      },
      (input: Record<string, unknown>) => answer(client, tool, input),
    )
  return server
}

/** Serves until the assistant closes the standard input, or the command is to end. */
export const serveMcp = async (terminal: Terminal, options: { readonly transcripts: boolean }): Promise<void> => {
  const client = clientOf(terminal)
  const closed = once(process.stdin, 'end')
  const served = serveStdio(() => mcpServer(client, options))
  await Promise.race([closed, once(terminal.signal, 'abort')])
  await served.close()
}
