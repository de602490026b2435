import { keepPrivate } from '../platform/private-folder.ts'
import { ConfigError } from './config.ts'

const problems: Readonly<Record<string, string>> = {
  EACCES: 'the user of this process may not write there',
  EPERM: 'the user of this process may not write there',
  EROFS: 'the disk is mounted for reading only',
  EEXIST: 'there is a file of that name',
  ENOTDIR: 'a part of the path is a file',
  ENOENT: 'nobody can make a folder there',
  ENOSPC: 'the disk is full',
  ELOOP: 'its links lead in a circle',
}

/** Why the folder of DATA_DIR cannot be used; undefined where the error is of another kind. */
export const folderProblem = (error: unknown): string | undefined =>
  problems[String((error as { code?: unknown }).code)]

/** Makes the folder of DATA_DIR where there is none and shuts it to others. Throws a ConfigError that says what is wrong with it. */
export const openDataFolder = async (dataDir: string): Promise<void> => {
  try {
    await keepPrivate(dataDir)
  } catch (error) {
    const problem = folderProblem(error)
    if (problem === undefined) throw error
    throw new ConfigError(
      `DATA_DIR is ${dataDir}, which cannot be used: ${problem}. Set it to a folder that the user of the service owns.`,
      { cause: error },
    )
  }
}
