import type { SpoolReport } from '../core/spool/types.ts'

/** What the spool has to say, in words. */
export const reportText = (report: SpoolReport): string => {
  switch (report.kind) {
    case 'database_set_aside':
      return `the index of unsent items was damaged (${report.reason}); it is kept as ${report.path} and a new one begun`
    case 'adopted':
      return `an item of ${report.lane} was found again: ${report.clientId}`
    case 'lost':
      return `${report.items} items of ${report.lane} are lost: ${report.reason}`
    case 'unreadable_file':
      return `a file could not be read and is kept as ${report.path}`
    case 'thinned':
      return `${report.items} older pictures of ${report.lane} were thinned out, as the space for unsent items is full`
    case 'refused':
      return `the service refused ${report.clientId} of ${report.lane}: ${report.reason}`
  }
}
