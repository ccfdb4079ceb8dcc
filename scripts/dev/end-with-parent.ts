/**
 * For `node --import`: ends a process that has been forked when the one that forked it is gone.
 */
process.on('disconnect', () => process.exit())
