import { runAdmin } from './admin-program.ts'

process.umask(0o077)
process.exitCode = await runAdmin(process.argv.slice(2), process)
