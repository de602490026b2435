/** What a candidate declares, in the words that the candidate and the organisation both read. */
export const texts = {
  'aid.second_display': 'A second display is used. That a display is connected or disconnected is not recorded.',
  'aid.screen_reader':
    'A screen reader or magnifier is used. Times without input, use of the clipboard and windows outside the recording are not recorded.',
  'aid.dictation': 'Dictation is used. Times without input and use of the clipboard are not recorded.',
  'aid.on_screen_keyboard':
    'An on-screen keyboard or a switch is used. Times without input and windows outside the recording are not recorded.',
  'aid.helper': 'An interpreter or a helper is in the room. Their voice may be heard in the recording.',
  'aid.notes': 'Notes are used. Which program is in front and use of the clipboard are not recorded.',
  'aid.ai_tool': 'A named AI tool is used. Which program is in front and use of the clipboard are not recorded.',
  'aid.breaks': 'Breaks are taken. Nothing is recorded in a break, and the recording goes on by itself at its end.',
  'aid.no_camera': 'No camera is used. No picture of a camera is recorded.',
  'aid.sound_only': 'Sound alone is recorded. No picture of a screen, a camera or a phone is recorded.',
  'aid.reduced_data': 'Less data is sent: fewer and smaller pictures, and no clips.',
} as const
