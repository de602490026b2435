/**
 * Programs that help a person to read, hear, speak or write, by the names of their processes, lower case. No observer names
 * these programs, and no observer reports anything about them.
 */
export const helpingPrograms: readonly string[] = [
  ...['orca', 'speech-dispatcher', 'brltty', 'nvda', 'jfw', 'narrator', 'voiceover', 'voiceaccess', 'magnify'],
  ...['livecaptions', 'live-captions', 'net.sapples.livecaptions', 'speechnote', 'dsnote', 'numen', 'talon'],
  ...['nerd-dictation', 'natspeak', 'dragonbar', 'dictationd', 'simon', 'julius'],
  ...['kmag', 'kmagnifier', 'onboard', 'florence', 'xvkbd', 'osk', 'assistiveswitch'],
]
