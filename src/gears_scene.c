/*
 * The geometry of the gears.  A gear is a disc with a hole about the z axis, and teeth all around.  It is drawn tooth
 * by tooth: each tooth has its share of the two faces, of the rim and of the hole.
 */
#include "gears_scene.h"

#include <GL/gl.h>
#include <math.h>

#define FULL_TURN 6.28318530717958648 /* radians */
#define TURN_OF_PICTURE 2             /* degrees */
#define GEARS (sizeof gears / sizeof *gears)
#define CORNERS (int)(sizeof profile / sizeof *profile)

struct point {
    double x, y;
};

/*
 * A gear.  Radii and lengths are in units of the scene, angles in degrees.  When the first gear has turned by a, this
 * one has turned by ratio * a + start.
 */
struct gear {
    double inner, outer, width;
    int teeth;
    double tooth_depth;
    float colour[4];
    struct point axis;
    double ratio, start;
};

static const struct gear gears[] = {
    {1.0, 4, 1.0, 20, 0.7, {0.8F, 0.1F, 0.0F, 1}, {-3.0, -2.0}, 1, 0},
    {0.5, 2, 2.0, 10, 0.7, {0.0F, 0.8F, 0.2F, 1}, {3.1, -2.0}, -2, -9},
    {1.3, 2, 0.5, 10, 0.7, {0.2F, 0.2F, 1.0F, 1}, {-3.1, 4.2}, -2, -25},
};

/*
 * The corners of a tooth: their distances from the outer radius, in tooth depths.  From one corner to the next is a
 * quarter of the tooth's share of the circle.  Between them are a flank from root to tip, the tip, a flank from tip to
 * root, and the root, up to the next tooth.
 */
static const double profile[] = {-0.5, 0.5, 0.5, -0.5};

static const float light_direction[] = {5, 5, 10, 0};

static GLuint lists;
static struct point view = {20, 30};

static int corners_of(const struct gear *gear)
{
    return CORNERS * gear->teeth;
}

/* Returns the point at a corner and a radius.  The corner after the last one is exactly the first one. */
static struct point at(const struct gear *gear, int corner, double radius)
{
    double angle = FULL_TURN * (corner % corners_of(gear)) / corners_of(gear);
    struct point point = {radius * cos(angle), radius * sin(angle)};

    return point;
}

static struct point on_rim(const struct gear *gear, int corner)
{
    return at(gear, corner, gear->outer + profile[corner % CORNERS] * gear->tooth_depth);
}

static struct point on_hole(const struct gear *gear, int corner)
{
    return at(gear, corner, gear->inner);
}

static void vertex(struct point point, double z)
{
    glVertex3d(point.x, point.y, z);
}

/*
 * Draws a tooth's share of a face, as triangles around the point where its share of the hole begins.  All of the share
 * is visible from that point.
 */
static void face_share(const struct gear *gear, int corner, int side)
{
    double z = side * gear->width / 2;
    struct point outline[CORNERS + 2];

    for (int i = 0; i <= CORNERS; i++)
        outline[i] = on_rim(gear, corner + i);
    outline[CORNERS + 1] = on_hole(gear, corner + CORNERS);
    glBegin(GL_TRIANGLE_FAN);
    vertex(on_hole(gear, corner), z);
    for (int i = 0; i < CORNERS + 2; i++)
        vertex(outline[side > 0 ? i : CORNERS + 1 - i], z);
    glEnd();
}

/* Draws the front face (side 1) or the back face (side -1). */
static void face(const struct gear *gear, int side)
{
    glNormal3d(0, 0, side);
    for (int tooth = 0; tooth < gear->teeth; tooth++)
        face_share(gear, CORNERS * tooth, side);
}

/*
 * Draws the rim.  Flat shading uses the normal of a side's last corner, so each corner has that of the side before it.
 */
static void rim(const struct gear *gear)
{
    struct point from = on_rim(gear, corners_of(gear) - 1), to;

    glBegin(GL_QUAD_STRIP);
    for (int corner = 0; corner <= corners_of(gear); corner++, from = to) {
        to = on_rim(gear, corner);
        double length = hypot(to.x - from.x, to.y - from.y);
        glNormal3d((to.y - from.y) / length, (from.x - to.x) / length, 0);
        vertex(to, gear->width / 2);
        vertex(to, -gear->width / 2);
    }
    glEnd();
}

static void hole(const struct gear *gear)
{
    glBegin(GL_QUAD_STRIP);
    for (int corner = 0; corner <= corners_of(gear); corner += CORNERS) {
        struct point point = on_hole(gear, corner);
        glNormal3d(-point.x / gear->inner, -point.y / gear->inner, 0);
        vertex(point, -gear->width / 2);
        vertex(point, gear->width / 2);
    }
    glEnd();
}

static void make_list(const struct gear *gear, GLuint list)
{
    glNewList(list, GL_COMPILE);
    glMaterialfv(GL_FRONT, GL_AMBIENT_AND_DIFFUSE, gear->colour);
    glShadeModel(GL_FLAT);
    face(gear, 1);
    face(gear, -1);
    rim(gear);
    glShadeModel(GL_SMOOTH);
    hole(gear);
    glEndList();
}

void scene_prepare(void)
{
    glLightfv(GL_LIGHT0, GL_POSITION, light_direction);
    glEnable(GL_LIGHTING);
    glEnable(GL_LIGHT0);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_CULL_FACE);
    lists = glGenLists(GEARS);
    for (GLuint i = 0; i < GEARS; i++)
        make_list(&gears[i], lists + i);
}

void scene_fit(int width, int height)
{
    double aspect = (double)height / width;

    glViewport(0, 0, width, height);
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glFrustum(-1, 1, -aspect, aspect, 5, 60);
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
    glTranslated(0, 0, -40);
}

void scene_turn(double about_x, double about_y)
{
    view.x += about_x;
    view.y += about_y;
}

void scene_draw(unsigned long number)
{
    double turned = (double)(number * TURN_OF_PICTURE % 360);

    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glPushMatrix();
    glRotated(view.x, 1, 0, 0);
    glRotated(view.y, 0, 1, 0);
    for (GLuint i = 0; i < GEARS; i++) {
        glPushMatrix();
        glTranslated(gears[i].axis.x, gears[i].axis.y, 0);
        glRotated(gears[i].ratio * turned + gears[i].start, 0, 0, 1);
        glCallList(lists + i);
        glPopMatrix();
    }
    glPopMatrix();
}
