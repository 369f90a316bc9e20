/* The three gears of ubgears, drawn by OpenGL into the current context. */
#ifndef GEARS_SCENE_H
#define GEARS_SCENE_H

/* Puts the gears into display lists and sets up the light; to be called once. */
void scene_prepare(void);

/* Fits the picture into a window of that size, in pixels; a higher one shows more above and below. */
void scene_fit(int width, int height);

/* Turns the view about the x and the y axis, by so many degrees. */
void scene_turn(double about_x, double about_y);

/*
 * Draws picture number 0, 1, 2...: in each, the first gear has turned by two degrees more.  Its twenty teeth make every
 * ninth picture the same.
 */
void scene_draw(unsigned long number);

#endif
